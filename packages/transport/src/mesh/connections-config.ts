import type { PeerCommand } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { MeshConfig, MeshOutput } from "./config.ts"
import type { Connection } from "./connection.ts"
import type { Control } from "./control.ts"
import type { DiscoveryInput } from "./discovery.ts"
import type { Keyring } from "./keyring.ts"
import type { Lanes } from "./lanes.ts"
import type { Scope } from "./scope.ts"
import type { Signal } from "./signal.ts"

export type ConnectionsConfig = {
  readonly mesh: MeshConfig
  readonly scope: Scope
  readonly keyring: Keyring
  readonly lanes: Lanes
  nowMs(): number
  onSignal(to: MemberId, signal: Signal): void
  onChange(change: DiscoveryInput & { readonly type: "connection" }): void
  onDropped(reason: string): void
  /** A connection through other members: `onCircuit` is its host. */
  onOpened(connection: Connection): void
  onCircuit(command: PeerCommand): void
  /** What is not about the pair itself. */
  onControl(from: MemberId, control: Control & { readonly kind: DetourKind }, isDirect: boolean): void
  onDirectEnded(member: MemberId): void
  /** The link has lost its last connection, and waits for another. */
  onWaiting(member: MemberId): void
  onDown(member: MemberId): void
  onPath(member: MemberId): void
  emit(output: MeshOutput): void
}

type DetourKind = "neighbours" | "relay" | "certificateRequest" | "certificate"
