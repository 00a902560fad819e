import {
  certifyIdentity,
  chooseIdentity,
  createIdentity,
  type IdentityStore,
  listIdentities,
  removeIdentity,
  renameIdentity,
  requestCertificate,
  restoreIdentity,
} from "../identity/index.ts"
import type { EngineCall, EngineCalls } from "./protocol.ts"

type Managing = Exclude<Extract<EngineCall, `identity.${string}`>, "identity.open" | "identity.stored">

/** What can be done with the identities of a device beside opening one. */
export async function manageIdentities(
  store: IdentityStore,
  call: Managing,
  params: never,
): Promise<EngineCalls[Managing]["result"]> {
  switch (call) {
    case "identity.list":
      return listIdentities(store)
    case "identity.create":
      return createIdentity(store, params, Date.now())
    case "identity.restore":
      return restoreIdentity(store, params, Date.now())
    case "identity.rename":
      await renameIdentity(store, params, Date.now())
      return null
    case "identity.choose":
      await chooseIdentity(store, (params as EngineCalls[typeof call]["params"]).id)
      return null
    case "identity.certificateRequest":
      return requestCertificate(store, (params as EngineCalls[typeof call]["params"]).id)
    case "identity.certify":
      return certifyIdentity(store, params, Date.now())
    case "identity.remove":
      await removeIdentity(store, (params as EngineCalls[typeof call]["params"]).id)
      return null
  }
}
