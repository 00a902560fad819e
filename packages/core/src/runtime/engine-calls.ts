/** Engine calls that one object answers: host actions, files of a conference, identities of a device. */
import { forgetCopiesOf } from "../device/kept-conferences.ts"
import type { FileExchange } from "../files/exchange.ts"
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
import type { EngineCall, EngineCalls } from "../rpc/protocol.ts"
import type { ConferenceRuntime } from "./conference-runtime.ts"

export type HostCall = "conference.remove" | "conference.setRole" | "conference.admit" | "conference.refuse"

/** @throws KeymootError as `ConferenceHandle.remove` */
export function actAsHost(
  runtime: ConferenceRuntime,
  call: HostCall,
  params: EngineCalls[HostCall]["params"],
): Promise<void> {
  const { hosting, content } = runtime
  switch (call) {
    case "conference.remove":
      return hosting.remove(content.roster.otherThanSelf(params.member))
    case "conference.setRole": {
      const { member, role } = params as EngineCalls["conference.setRole"]["params"]
      return hosting.setRole(content.roster.otherThanSelf(member), role)
    }
    case "conference.admit": {
      const { member, role } = params as EngineCalls["conference.admit"]["params"]
      return hosting.admit(member, role)
    }
    case "conference.refuse":
      return hosting.refuse(params.member)
  }
}

type FileCall = Extract<EngineCall, `file.${string}`>

/** Answers calls about the files of a conference. `signal` aborts when the application cancels. */
export async function exchangeFiles(
  files: FileExchange,
  call: FileCall,
  params: never,
  signal: AbortSignal,
): Promise<EngineCalls[FileCall]["result"]> {
  switch (call) {
    case "file.offer":
      return files.offer(params, signal)
    case "file.fetch":
      await files.fetch(params, signal)
      return null
    case "file.kept":
      return files.kept(params)
    case "file.read": {
      const { block } = params as EngineCalls[typeof call]["params"]
      return files.read(params, block)
    }
    case "file.remove":
      await files.remove(params)
      return null
  }
}

type Managing = Exclude<Extract<EngineCall, `identity.${string}`>, "identity.open" | "identity.stored">

/** Answers calls about the identities of a device, except for opening one. */
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
    case "identity.remove": {
      const { id } = params as EngineCalls[typeof call]["params"]
      await forgetCopiesOf(store, id)
      await removeIdentity(store, id)
      return null
    }
  }
}
