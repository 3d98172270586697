// Shows the fields of the chosen kind of executor, and those of an own confirmation policy, and hides the others.

const SHOWN_BY = {
  executor_kind: {http: ["method", "url", "credential", "headers"], python: ["handler"]},
  confirm_by: {
    user: ["proof", "decide_within_s", "execute_within_s"],
    reviewer: ["proof", "decide_within_s", "execute_within_s", "votes"],
    "user+reviewer": ["proof", "decide_within_s", "execute_within_s", "votes"],
  },
}

function rowOf(name) {
  return document.querySelector(`.field-line.field-${CSS.escape(name)}`)
}

function arrange(select, shown) {
  const wanted = new Set(shown[select.value] ?? [])
  for (const name of new Set(Object.values(shown).flat())) {
    const row = rowOf(name)
    if (row) row.hidden = !wanted.has(name)
  }
}

for (const [name, shown] of Object.entries(SHOWN_BY)) {
  const select = document.querySelector(`select[name="${name}"]`)
  if (!select) continue
  arrange(select, shown)
  select.addEventListener("change", () => arrange(select, shown))
}
