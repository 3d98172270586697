// The page of a try: follows what it waits for, sends each answer once, and lets Enter approve nothing by accident.

const LOOK = 2000
const shown = document.querySelector(".pg-try")

if ("watch" in shown.dataset) setInterval(look, LOOK)

async function look() {
  if (document.hidden) return
  const answer = await fetch(location.href).catch(() => null)
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), "text/html")
  const now = page.querySelector(".pg-try")
  if (now && now.dataset.state !== shown.dataset.state) location.reload()
  const progress = page.querySelector(".job-progress")
  if (progress) shown.querySelector(".job-progress")?.replaceWith(progress)
}

for (const form of document.querySelectorAll(".pg-try form")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = "yes"
    form.setAttribute("aria-busy", "true")
  })
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll(".pg-try form")) delete form.dataset.sent
})

document.getElementById("try-proof")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  shown.querySelector("[value=approve]").focus()
})
