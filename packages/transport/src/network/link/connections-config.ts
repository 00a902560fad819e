import type { PeerCommand } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import type { MeshConfig, MeshOutput } from "../shared/config.ts"
import type { Connection } from "../path/connection.ts"
import type { Control } from "../messages/control.ts"
import type { DiscoveryInput } from "../discovery/discovery.ts"
import type { Keyring } from "../shared/keyring.ts"
import type { Lanes } from "../shared/lanes.ts"
import type { Scope } from "../shared/scope.ts"
import type { Signal } from "../messages/signal.ts"

export type ConnectionsConfig = {
  readonly mesh: MeshConfig
  readonly scope: Scope
  readonly keyring: Keyring
  readonly lanes: Lanes
  nowMs(): number
  onSignal(to: MemberId, signal: Signal): void
  onChange(change: DiscoveryInput & { readonly type: "connection" }): void
  onDropped(reason: string): void
  /** A new connection runs through other members. `onCircuit` takes the place of its host. */
  onOpened(connection: Connection): void
  onCircuit(command: PeerCommand): void
  /** Control messages that concern neither the session nor the keys of this link. */
  onControl(from: MemberId, control: Control & { readonly kind: RelayControlKind }, isDirect: boolean): void
  onDirectEnded(member: MemberId): void
  /** The link has lost its last connection and waits for another. */
  onWaiting(member: MemberId): void
  onDown(member: MemberId): void
  onPath(member: MemberId): void
  emit(output: MeshOutput): void
}

type RelayControlKind = "neighbours" | "relay" | "certificateRequest" | "certificate"
