/**
 * Loaded before the simulation's own program, as `node --import` does: one rule, named by BROKEN_RULE, is forgotten, so
 * that there is a violation to tell.
 */
import { registerHooks } from "node:module"

type Rule = { readonly file: string; readonly rule: string; readonly forgotten: string }

const RULES: Readonly<Record<string, Rule>> = {
  /** At the end of a view even what has no place in the order is delivered. */
  leftover: {
    file: "/transport/src/ordering/message-log.ts",
    rule: "for (let leftover = this.#leftover(upTo); leftover;",
    forgotten: "for (let leftover = null; leftover;",
  },
  /** A flush is answered once the frame that is being made is in the group. */
  draining: {
    file: "/core/src/driver/send-pipeline.ts",
    rule: "if (this.#making || this.#closed) return",
    forgotten: 'if (this.#closed || (this.#making && this.#phase.name !== "draining")) return',
  },
  /** The epoch of a view stays until its last frame is open. */
  erasing: {
    file: "/core/src/driver/receive-pipeline.ts",
    rule: "this.#opening.add(() => former?.erase())",
    forgotten: "former?.erase()",
  },
  /** A new view gets no messages of the former one's key agreement. */
  agreement: {
    file: "/core/src/driver/send-pipeline.ts",
    rule: "this.#agreement = []\n    this.#phase",
    forgotten: "this.#phase",
  },
  /** A causal or ordered frame waits for everything that was delivered before it. */
  opening: {
    file: "/core/src/queues/decrypt-queue.ts",
    rule: "(isOrdered && place !== oldest)",
    forgotten: "(isOrdered && place < 0)",
  },
}

const name = process.env["BROKEN_RULE"] ?? "leftover"
const broken = RULES[name]
if (!broken) throw new Error(`There is no rule ${name}: break one of ${Object.keys(RULES).join(", ")}.`)
const { file, rule, forgotten } = broken

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(file)) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    if (!source.includes(rule)) throw new Error(`${file} has no "${rule}": break another rule.`)
    return { ...loaded, source: source.replace(rule, forgotten) }
  },
})
