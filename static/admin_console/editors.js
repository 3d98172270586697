// Turns each textarea[data-json-editor] into a JSON editor. The textarea stays the form's field and is kept up to
// date; what the server finds wrong arrives as a `console:checked` event (see check.js).

import {
  bracketMatching, closeBrackets, closeBracketsKeymap, Compartment, defaultKeymap, drawSelection, EditorState, EditorView,
  foldGutter, foldKeymap, forceLinting, highlightActiveLine, highlightSelectionMatches, highlightSpecialChars,
  HighlightStyle, history, historyKeymap, indentOnInput, indentWithTab, json, jsonParseLinter, keymap, lineNumbers,
  linter, lintGutter, lintKeymap, placeholder, searchKeymap, StateEffect, syntaxHighlighting, tags,
} from "../vendor/codemirror/codemirror.js"
import {placeOf} from "./places.js"

const colours = HighlightStyle.define([
  {tag: tags.propertyName, color: "var(--console-key)"},
  {tag: tags.string, color: "var(--console-string)"},
  {tag: [tags.number, tags.bool, tags.null], color: "var(--console-number)"},
])

const gettext = globalThis.gettext ?? ((text) => text)
const phrases = {
  "Fold line": gettext("Fold line"), "Unfold line": gettext("Unfold line"), "folded code": gettext("folded code"),
  "unfold": gettext("unfold"), "Find": gettext("Find"), "Replace": gettext("Replace"), "next": gettext("next"),
  "previous": gettext("previous"), "all": gettext("all"), "match case": gettext("match case"),
  "by word": gettext("by word"), "regexp": gettext("regexp"), "replace": gettext("replace"),
  "replace all": gettext("replace all"), "close": gettext("close"), "Diagnostics": gettext("Diagnostics"),
  "No diagnostics": gettext("No diagnostics"),
}

export const basics = [
  EditorState.phrases.of(phrases),
  highlightSpecialChars(), drawSelection(), syntaxHighlighting(colours), json(), EditorView.lineWrapping,
  EditorView.editorAttributes.of({class: "console-editor"}),
]

/** Make an editor light or dark as the page is, also when the person switches. */
export function followTheme(view) {
  const theme = new Compartment()
  const now = () => EditorView.darkTheme.of(document.documentElement.classList.contains("dark"))
  view.dispatch({effects: StateEffect.appendConfig.of(theme.of(now()))})
  const change = () => view.dispatch({effects: theme.reconfigure(now())})
  new MutationObserver(change).observe(document.documentElement, {attributeFilter: ["class"]})
}

function syntax(view) {
  return view.state.doc.toString().trim() ? jsonParseLinter()(view) : []
}

// An answer may come long after the editor's own look at the text; without this `forceLinting` would do nothing.
const checked = StateEffect.define()
const needsRefresh = ({transactions}) => transactions.some(({effects}) => effects.some((one) => one.is(checked)))

function findings(box) {
  return (view) => box.errors.map(({path, message}) => {
    const {from, to} = placeOf(view.state, path)
    return {from, to, severity: "error", message: path ? `${path}: ${message}` : message}
  })
}

function extensions(textarea, box) {
  const keep = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return
    textarea.value = update.state.doc.toString()
    textarea.dispatchEvent(new Event("input", {bubbles: true}))
  })
  return [
    basics, lineNumbers(), foldGutter(), lintGutter(), history(), indentOnInput(), bracketMatching(), closeBrackets(),
    highlightActiveLine(), highlightSelectionMatches(), placeholder(textarea.placeholder),
    linter(syntax), linter(findings(box), {needsRefresh}), keep, EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({"aria-label": labelOf(textarea)}),
    keymap.of([
      ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap,
      indentWithTab,
    ]),
  ]
}

function labelOf(textarea) {
  return textarea.labels?.[0]?.textContent.trim() || textarea.name
}

function edit(textarea) {
  const box = {errors: []}
  const view = new EditorView({doc: textarea.value, extensions: extensions(textarea, box)})
  followTheme(view)
  textarea.after(view.dom)
  for (const label of textarea.labels) label.addEventListener("click", () => view.focus())
  textarea.hidden = true
  document.addEventListener("console:checked", ({detail}) => {
    box.errors = detail.fields[textarea.dataset.jsonEditor || textarea.name] ?? []
    view.dispatch({effects: checked.of(null)})
    forceLinting(view)
  })
}

for (const textarea of document.querySelectorAll("textarea[data-json-editor]")) edit(textarea)
