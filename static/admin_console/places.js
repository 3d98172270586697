// Where in a JSON text a path such as `$.properties.size[0]` stands.

import {syntaxTree} from "../vendor/codemirror/codemirror.js"

const STEP = /\.?([^.[\]]+)|\[(\d+)\]/g

export function stepsOf(path) {
  return [...path.replace(/^\$/, "").matchAll(STEP)].map(([, name, index]) => name ?? Number(index))
}

/** The range of the value at `path`, or of the nearest one around it that is there. */
export function placeOf(state, path) {
  let node = syntaxTree(state).topNode.firstChild
  for (const step of stepsOf(path)) {
    const inner = node && child(state, node, step)
    if (!inner) break
    node = inner
  }
  if (!node) return {from: 0, to: state.doc.length}
  const long = node.to - node.from > 80
  return {from: node.from, to: long ? node.from + 1 : node.to}
}

function child(state, node, step) {
  if (node.name === "Object") return property(state, node, String(step))
  if (node.name !== "Array") return null
  const items = []
  for (let item = node.firstChild; item; item = item.nextSibling) {
    if (!["[", "]", ",", "⚠"].includes(item.name)) items.push(item)
  }
  return items[Number(step)] ?? null
}

function property(state, node, name) {
  for (const one of node.getChildren("Property")) {
    const key = one.getChild("PropertyName")
    if (key && state.sliceDoc(key.from + 1, key.to - 1) === name) return one.lastChild ?? one
  }
  return null
}
