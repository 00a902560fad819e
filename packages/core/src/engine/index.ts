/**
 * Engine for a worker of an embedder, with modules of its own.
 * @module @keymoot/core/engine
 */
export type { Aead, DataCipher } from "../ciphers/index.ts"
export { startEngine } from "../runtime/engine-thread.ts"
export type { OwnModules } from "../runtime/own-modules.ts"
