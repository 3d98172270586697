// Asks the server, as the author types, what is wrong with the definition in the form; nothing is saved.
// Answers are shown under their fields and, for the JSON editors, at their place (`console:checked`).

const WAIT = 400

const check = document.getElementById("console-check")
const form = check.closest("form")
const touched = new Set()
let wasRefused = form.querySelector("ul.errorlist") !== null
let timer = 0
let asked = null

// After a refused save the server's own list stands there: the live one takes its place.
for (const list of form.querySelectorAll("ul.errorlist")) {
  const field = list.closest(".relative")?.querySelector("[name]")
  if (field) touched.add(field.name)
}

form.addEventListener("input", ({target}) => {
  touched.add(target.name)
  clearTimeout(timer)
  timer = setTimeout(ask, WAIT)
})
ask()

async function ask() {
  asked?.abort()
  asked = new AbortController()
  try {
    const answer = await fetch(check.dataset.url, {method: "POST", body: new FormData(form), signal: asked.signal})
    if (!answer.ok) throw new Error(String(answer.status))
    show(await answer.json())
  } catch (problem) {
    if (problem.name !== "AbortError") say(gettext("The live check does not answer. Saving checks again."))
  }
}

function show(found) {
  say((found.warnings ?? []).join("\n"))
  for (const list of form.querySelectorAll("ul.console-errors, ul.errorlist:not(.nonfield)")) list.remove()
  for (const [name, errors] of Object.entries(found.fields)) {
    const field = form.elements.namedItem(name)
    const shown = touched.has(name) || "jsonEditor" in (field?.dataset ?? {})
    if (field instanceof HTMLElement && shown) field.parentElement.append(listed(errors))
  }
  document.dispatchEvent(new CustomEvent("console:checked", {detail: found}))
  if (wasRefused) form.querySelector("ul.console-errors, ul.errorlist")?.scrollIntoView({block: "center"})
  wasRefused = false
}

function listed(errors) {
  const list = document.createElement("ul")
  list.className = "console-errors"
  list.setAttribute("role", "status")
  for (const {path, message} of errors) {
    const item = list.appendChild(document.createElement("li"))
    if (path) item.appendChild(document.createElement("code")).textContent = path
    item.append(message)
  }
  return list
}

function say(text) {
  check.textContent = text
  check.hidden = !text
}
