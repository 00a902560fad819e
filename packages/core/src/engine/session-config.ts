/** What a session is made of. The parts that need to be told of each other are made while it is. */
import type { Mesh } from "@keymoot/transport"
import type { Descriptor } from "../conference/index.ts"
import type { BlockStore } from "../files/index.ts"
import type { MemberCredential, MemberCredentialChecker, OwnIdentity, VerifiedPeople } from "../identity/index.ts"
import type { LocalCopy } from "../local-copies/index.ts"
import type { DriverEvent } from "./driver-config.ts"
import type { Entrance, EntranceConfig } from "./entrance.ts"
import type { GroupDriver } from "./group-driver.ts"
import type { Ice } from "./ice.ts"
import type { OverlayLinks, OverlayLinksConfig } from "./overlay-links.ts"
import type { EngineEvent } from "./protocol.ts"

export type SessionConfig = {
  readonly descriptor: Descriptor
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly people: VerifiedPeople
  readonly emit: (event: EngineEvent) => void
  readonly now: () => number
  /** What this device keeps of the conference; null for nothing. */
  readonly copy: LocalCopy | null
  readonly ice: Ice
  /** 32 bytes by which key agreement and the conference code know a member. */
  readonly fingerprintOf: (member: MemberCredential) => Uint8Array
  /** Where the files of this conference are kept, and under which name. */
  readonly files: { readonly blocks: BlockStore; readonly shelf: string }
  /** An epoch number in use, so that the next life of this identity begins above it. */
  readonly usedEpoch: (epoch: number) => void
}

export type CreateDriver = (
  emit: (event: DriverEvent) => void | Promise<void>,
  fail: (error: unknown) => void,
) => GroupDriver
export type CreateOverlay = (hooks: OverlayHooks) => OverlayLinks
export type CreateMesh = (overlay: OverlayLinks) => Mesh
export type CreateEntrance = (hooks: EntranceHooks) => Entrance

export type OverlayHooks = Pick<OverlayLinksConfig, "mesh" | "emit" | "onHeartbeat" | "onFrame" | "fail">

export type EntranceHooks = Pick<
  EntranceConfig,
  "driver" | "mesh" | "onState" | "onInvitation" | "onOut" | "onStanding" | "sendSecret" | "report" | "fail"
>
