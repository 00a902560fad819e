/** A page for React in Node, whose other globals stay as they are: the engines of the conferences run here too. */
import { JSDOM } from "jsdom"

const { window } = new JSDOM("<!doctype html><div id=root></div>")
Object.assign(globalThis, { window, document: window.document })

export const root: Element = window.document.querySelector("#root")!
