/**
 * Entry of the engine's module worker. It only imports the engine, and no other module imports it. WebKit evaluates a
 * worker's entry again when a chunk that is loaded later imports it back. A second engine would then answer the page.
 */
import { startEngine } from "./serve-engine.ts"

// No top-level await: the engine is built as one classic script, which every bundler copies unchanged.
startEngine()
