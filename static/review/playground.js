// The playground's text becomes an editor, and the server is asked what would come of it as one types. The textarea
// stays the form's field, so that everything works without this script; what is drawn here the server drew.

import {basics} from "../admin_console/editors.js"
import {placeOf} from "../admin_console/places.js"
import {
  bracketMatching, closeBrackets, closeBracketsKeymap, Compartment, defaultKeymap, EditorState, EditorView, history,
  historyKeymap, indentOnInput, keymap, lineNumbers, linter, lintGutter, searchKeymap, StateEffect,
} from "../vendor/codemirror/codemirror.js"

const WAIT = 300
const SLOW = 300

const form = document.getElementById("playground")
const textarea = form.elements.raw
const result = document.getElementById("pg-result")
const about = document.getElementById("pg-about")
const run = document.getElementById("pg-run")
const short = document.getElementById("pg-short")
const checked = StateEffect.define()
const dark = matchMedia("(prefers-color-scheme: dark)")

let errors = []
let example = textarea.value
let timer = 0
let asked = null
let slow = 0
/** Whether what stands in the result is about what stands in the form. */
let isFresh = false
const view = edit()

function edit() {
  const theme = new Compartment()
  const now = () => EditorView.darkTheme.of((document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark")
  const made = new EditorView({doc: textarea.value, extensions: [extensions(), theme.of(now())]})
  const change = () => made.dispatch({effects: theme.reconfigure(now())})
  new MutationObserver(change).observe(document.documentElement, {attributeFilter: ["data-theme"]})
  dark.addEventListener("change", change)
  textarea.after(made.dom)
  textarea.hidden = true
  for (const label of textarea.labels) label.addEventListener("click", () => made.focus())
  return made
}

function extensions() {
  const keep = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return
    textarea.value = update.state.doc.toString()
    doubt()
    soon()
  })
  const marks = linter(findings, {
    delay: 0, needsRefresh: ({transactions}) => transactions.some(({effects}) => effects.some((effect) => effect.is(checked))),
  })
  return [
    basics, EditorView.cspNonce.of(document.querySelector("script[nonce]").nonce), lineNumbers(), lintGutter(), history(),
    indentOnInput(), bracketMatching(), closeBrackets(), marks, keep, EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({"aria-labelledby": "pg-raw-label", spellcheck: "false"}),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap]),
  ]
}

function findings(of) {
  return errors.map(({path, message}) => ({...placeOf(of.state, path), severity: "error", message: path === "$" ? message : `${path}: ${message}`}))
}

function soon() {
  clearTimeout(timer)
  timer = setTimeout(ask, WAIT)
}

async function ask() {
  clearTimeout(timer)
  asked?.abort()
  asked = new AbortController()
  doubt()
  try {
    const answer = await fetch(form.dataset.check, {method: "POST", body: new FormData(form), signal: asked.signal})
    if (!answer.ok) throw new Error(String(answer.status))
    const found = await answer.json()
    trust()
    show(found)
  } catch (problem) {
    if (problem.name !== "AbortError") missed(problem)
  }
}

/** Something was changed: what stands in the result is about an earlier text until the server answers. */
function doubt() {
  isFresh = false
  if (run) run.disabled = true
  result.setAttribute("aria-busy", "true")
  slow ||= setTimeout(() => tell(gettext("Checking …"), true), SLOW)
}

function trust() {
  isFresh = true
  clearTimeout(slow)
  slow = 0
  result.removeAttribute("aria-busy")
  result.classList.remove("is-old")
}

/** No answer: the old one stays, and says that it is one. */
function missed(problem) {
  clearTimeout(slow)
  slow = 0
  result.removeAttribute("aria-busy")
  const words = problem instanceof TypeError
    ? gettext("Could not be checked: no connection. This is the answer to an earlier text.")
    : gettext("Could not be checked. This is the answer to an earlier text.")
  tell(words, true)
}

function tell(words, isOld = false) {
  result.classList.toggle("is-old", isOld)
  short.classList.toggle("is-old", isOld)
  short.textContent = words
}

function show(found) {
  if (form.elements.version.value !== found.version) {
    form.elements.version.innerHTML = found.versions
    begin(found.example)
  }
  draw(about, found.about)
  draw(result, found.html)
  // The example of another tool may just have taken the text's place.
  if (run) run.disabled = !found.canRun || !isFresh
  tell(found.headline)
  errors = found.errors
  view.dispatch({effects: checked.of(null)})
}

/** Another tool: what nobody has touched gives way to its example. */
function begin(text) {
  const untouched = !textarea.value.trim() || textarea.value === example
  example = text
  if (untouched) view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}})
}

/** What was opened or closed by hand stays so. */
function draw(place, html) {
  const states = new Map([...place.querySelectorAll("details[data-by-hand]")].map((one) => [one.dataset.key, one.open]))
  place.innerHTML = html
  for (const one of place.querySelectorAll("details[data-key]")) {
    if (!states.has(one.dataset.key)) continue
    one.open = states.get(one.dataset.key)
    one.dataset.byHand = ""
  }
}

form.addEventListener("click", ({target}) => {
  const details = target.closest("summary")?.parentElement
  if (details) details.dataset.byHand = ""
})
form.addEventListener("change", ({target}) => {
  if (target.name === "tool") form.elements.version.value = ""
  if (target.name) ask()
})
form.addEventListener("submit", (event) => {
  if (event.submitter !== run) {
    event.preventDefault()
    ask()
  } else if (form.dataset.sent || !isFresh) {
    event.preventDefault()
  } else {
    form.dataset.sent = "yes"
    form.setAttribute("aria-busy", "true")
  }
})
addEventListener("pageshow", () => {
  delete form.dataset.sent
  form.removeAttribute("aria-busy")
})
addEventListener("online", () => isFresh || ask())
if (form.elements.version.value) ask()
