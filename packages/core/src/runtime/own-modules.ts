/** Modules that an embedder brings to an engine, besides the built-in ones. */
import type { HopCipher } from "@keymoot/transport"
import { type Cipher, isOwnModule, KeymootError, type OwnModule } from "../api/index.ts"
import type { DataCipher } from "../ciphers/aead.ts"
import { loadCipher } from "../ciphers/load-cipher.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import type { OwnKeyAgreement } from "../secure-group/view-keys.ts"

/** All names begin with `own:`. */
export type OwnModules = {
  readonly ciphers?: readonly DataCipher[] | undefined
  readonly keyAgreements?: readonly OwnKeyAgreement[] | undefined
}

/** @throws KeymootError `invalid-argument` if a name has another form, or is there twice */
export function assertOwnModules({ ciphers = [], keyAgreements = [] }: OwnModules): void {
  for (const modules of [ciphers, keyAgreements]) {
    const names = modules.map(({ name }) => name)
    for (const name of names) {
      if (!isOwnModule(name))
        throw invalid(`"${name}" cannot name a module: take "own:" and 1 to 60 of a-z, 0-9, "." and "-".`)
      if (names.indexOf(name) !== names.lastIndexOf(name)) throw invalid(`Two modules have the name "${name}".`)
    }
  }
}

/** Checks what a descriptor, or the options of a new conference, name. @throws KeymootError `missing-module` */
export function assertHasModules(
  modules: OwnModules,
  { cipher, keyAgreement }: Pick<Descriptor, "cipher" | "keyAgreement">,
): void {
  if (isOwnModule(cipher)) ownCipher(cipher, modules)
  ownAgreement(keyAgreement, modules)
}

/** @param chacha implementation of ChaCha20-Poly1305 @throws KeymootError `missing-module` */
export async function cipherNamed(
  name: Cipher | OwnModule,
  modules: OwnModules,
  chacha: HopCipher,
): Promise<DataCipher> {
  return isOwnModule(name) ? ownCipher(name, modules) : loadCipher(name, chacha)
}

/** Undefined for the name of a built-in one. @throws KeymootError `missing-module` */
export function ownAgreement(
  name: Descriptor["keyAgreement"],
  { keyAgreements = [] }: OwnModules,
): OwnKeyAgreement | undefined {
  return isOwnModule(name) ? found("key agreement", name, keyAgreements) : undefined
}

function ownCipher(name: OwnModule, { ciphers = [] }: OwnModules): DataCipher {
  return found("cipher", name, ciphers)
}

function found<Module extends { readonly name: string }>(
  kind: string,
  name: OwnModule,
  modules: readonly Module[],
): Module {
  const module = modules.find((each) => each.name === name)
  if (module) return module
  const message = `This conference uses the ${kind} "${name}", which this program does not have. Use the one that made it.`
  throw new KeymootError("missing-module", message)
}

function invalid(message: string): KeymootError {
  return new KeymootError("invalid-argument", message)
}
