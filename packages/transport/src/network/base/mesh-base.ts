import type { Contact, ContactsInput } from "./contact.ts"
import type { CertificateControl } from "../messages/control.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Signal } from "../messages/signal.ts"
import type { MeshConfig, MeshOutput } from "../shared/config.ts"
import type { IgnoredIncarnations } from "../shared/failures.ts"
import type { Keyring } from "../shared/keyring.ts"
import type { Lanes } from "./lanes.ts"
import type { MeshFaults } from "./mesh-faults.ts"
import type { Scope } from "../shared/scope.ts"
import type { Sink } from "../shared/sink.ts"

/** The time of the last tick: the only clock of the mesh. */
export class MeshClock {
  #nowMs: number | null = null

  tick(nowMs: number): void {
    this.#nowMs = nowMs
  }

  get nowMs(): number {
    if (this.#nowMs === null) throw new Error("call Mesh.tick(nowMs) once before any other method")
    return this.#nowMs
  }
}

/** Output of a part of the mesh. `Mesh` routes it to the other parts, or out of the mesh. */
export type PartOutput =
  | MeshOutput
  /**
   * The state of a direct connection has changed, or we have entered the room. A card comes also for a later incarnation
   * of this member on another device.
   */
  | Extract<ContactsInput, { readonly type: "connection" | "entered" | "card" }>
  | {
      readonly type: "heardSignal"
      readonly contact: Readonly<Contact>
      readonly signal: Exclude<Signal, { readonly kind: "hello" }>
    }
  | { readonly type: "sendSignal"; readonly to: MemberId; readonly signal: Signal }
  /** A control message that concerns neither the session nor the keys of its link. */
  | { readonly type: "control"; readonly from: MemberId; readonly control: CertificateControl }
  /** The link has lost its last connection and waits for another. */
  | { readonly type: "waiting"; readonly member: MemberId }
  /** Ends the links with a member, and ignores its present incarnation. */
  | { readonly type: "ignore"; readonly member: MemberId; readonly detail: string }

/** Shared by the parts of one mesh. */
export type MeshBase = {
  readonly mesh: MeshConfig
  readonly scope: Scope
  readonly keyring: Keyring
  /** The conference id in hex. */
  readonly room: string
  readonly lanes: Lanes
  readonly clock: MeshClock
  readonly faults: MeshFaults
  readonly ignored: IgnoredIncarnations
  readonly sink: Sink<PartOutput>
}
