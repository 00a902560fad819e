/** Loaded before the simulation's own program, as `node --import` does: one rule of the protocol is forgotten, so that there is a violation to tell. */
import { registerHooks } from "node:module"

const FILE = "/transport/src/ordering/message-log.ts"
/** At the end of a view even what has no place in the order is delivered. */
const RULE = "for (let leftover = this.#leftover(upTo); leftover;"
const FORGOTTEN = "for (let leftover = null; leftover;"

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(FILE)) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    if (!source.includes(RULE)) throw new Error(`${FILE} has no "${RULE}": break another rule.`)
    return { ...loaded, source: source.replace(RULE, FORGOTTEN) }
  },
})
