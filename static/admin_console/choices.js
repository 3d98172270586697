// Choices in an order: the arrows move a choice up or down; the form sends them as they stand.

document.addEventListener("click", ({target}) => {
  const button = target.closest("[data-move]")
  if (!button) return
  const item = button.closest("li")
  if (button.dataset.move === "up") item.previousElementSibling?.before(item)
  else item.nextElementSibling?.after(item)
  button.focus()
  item.querySelector("input").dispatchEvent(new Event("input", {bubbles: true}))
})
