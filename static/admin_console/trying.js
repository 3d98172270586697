// The test panel under a credential or a model: a name that the server offers is put into the field for names.

const result = document.getElementById("try-result")
const field = document.getElementById("id_try_name") ?? document.getElementById("id_name")

result.addEventListener("click", ({target}) => {
  const name = target.closest("[data-offered]")?.dataset.offered
  if (!name || !field) return
  field.value = name
  field.dispatchEvent(new Event("input", {bubbles: true}))
  field.focus()
})

document.body.addEventListener("htmx:beforeRequest", ({target}) => {
  if (target.closest(".console-try")) result.textContent = gettext("Asking…")
})

// The bar with the save buttons hides what comes below the edge of the window.
document.body.addEventListener("htmx:afterSwap", ({target}) => {
  if (target === result) result.scrollIntoView({block: "nearest"})
})

// Neither a refusal of ours nor a lost connection is swapped in by htmx.
for (const event of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(event, ({target}) => {
    if (target.closest(".console-try")) result.textContent = gettext("The test could not be made. Reload the page and try again.")
  })
}
