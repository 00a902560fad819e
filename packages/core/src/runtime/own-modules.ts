/** Modules that an embedder brings to an engine, besides the built-in ones. */
import type { HopCipher } from "@keymoot/transport"
import { type Cipher, isOwnModule, KeymootError, type OwnModule } from "../api/index.ts"
import { type DataCipher, loadCipher } from "../ciphers/index.ts"

export type OwnModules = {
  /** Their names begin with `own:`. */
  readonly ciphers?: readonly DataCipher[] | undefined
}

/** @throws KeymootError `invalid-argument` if a name has another form, or is there twice */
export function assertOwnModules({ ciphers = [] }: OwnModules): void {
  const names = ciphers.map(({ name }) => name)
  for (const name of names) {
    if (!isOwnModule(name))
      throw invalid(`"${name}" cannot name a module: take "own:" and 1 to 60 of a-z, 0-9, "." and "-".`)
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw invalid(`Two modules have the name "${name}".`)
  }
}

/** Checks what a descriptor, or the options of a new conference, name. @throws KeymootError `missing-module` */
export function assertHasModules(modules: OwnModules, { cipher }: { readonly cipher: Cipher | OwnModule }): void {
  if (isOwnModule(cipher)) ownCipher(cipher, modules)
}

/** @param chacha implementation of ChaCha20-Poly1305 @throws KeymootError `missing-module` */
export async function cipherNamed(
  name: Cipher | OwnModule,
  modules: OwnModules,
  chacha: HopCipher,
): Promise<DataCipher> {
  return isOwnModule(name) ? ownCipher(name, modules) : loadCipher(name, chacha)
}

function ownCipher(name: OwnModule, { ciphers = [] }: OwnModules): DataCipher {
  const cipher = ciphers.find((each) => each.name === name)
  if (cipher) return cipher
  const message = `This conference uses the cipher "${name}", which this program does not have. Use the one that made it.`
  throw new KeymootError("missing-module", message)
}

function invalid(message: string): KeymootError {
  return new KeymootError("invalid-argument", message)
}
