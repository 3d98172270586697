// Shows two versions of a definition in one editor, with what changed inside each line. Without it the page keeps
// the server's line by line comparison.

import {EditorState, EditorView, lineNumbers, unifiedMergeView} from "../vendor/codemirror/codemirror.js"
import {basics, followTheme} from "./editors.js"

const place = document.getElementById("console-comparison")
const {old, new: current} = JSON.parse(document.getElementById("console-texts").textContent)

const merge = old === current ? [] : unifiedMergeView({
  original: old, mergeControls: false, collapseUnchanged: {margin: 3, minSize: 6},
})
const view = new EditorView({
  doc: current,
  extensions: [basics, lineNumbers(), EditorState.readOnly.of(true), EditorView.editable.of(false), merge],
})
followTheme(view)
place.replaceWith(view.dom)
