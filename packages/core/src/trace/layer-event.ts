/** Trace events of the layers above the group, derived from their outputs. */
import type { DeclaredEvent, GroupEvent, MemberId, NetworkEvent } from "@keymoot/transport"
import type { ClosedReason, SecurityEvent, StorageState } from "../api/index.ts"
import type { TransferScope } from "../history/transitional-set.ts"
import type { EngineEvent } from "../rpc/protocol.ts"
import type { SecureGroupOutput } from "../secure-group/secure-group.ts"

type SecureGroupEvent = DeclaredEvent<
  "secure-group",
  {
    agreeing: { epoch: number; members: number }
    message: { bytes: number }
    keyed: { epoch: number }
    secured: { epoch: number }
    /** These members know other statements of hosts, so the view gets no key. */
    "statements-differ": { epoch: number; members: readonly MemberId[] }
    "refresh-due": Record<never, never>
    /** It keeps the others from a key for too long. */
    overdue: { member: MemberId }
    fault: { member: MemberId; reason: (SecureGroupOutput & { type: "fault" })["reason"] }
  }
>

type AdmissionEvent = DeclaredEvent<
  "admission",
  {
    state: { waiting: boolean; vouched: boolean; knocks: number }
    "new-invitation": Record<never, never>
    closed: { reason: ClosedReason }
  }
>

type ContentEvent = DeclaredEvent<
  "content",
  {
    /** A view with `newcomers`, of which `awaited` may transfer history. */
    "view-start": { epoch: number; newcomers: number; awaited: number }
    "history-transfer": { epoch: number; what: TransferScope }
    storage: { state: StorageState }
    /** A security event that the application was notified of. */
    reported: { code: SecurityEvent["code"]; member: MemberId | null }
  }
>

export type LayerEvent = NetworkEvent | GroupEvent | SecureGroupEvent | AdmissionEvent | ContentEvent
export type Tracer = (event: LayerEvent) => void

export function traceSecureGroup(emit: Tracer, output: SecureGroupOutput): void {
  const layer = "secure-group"
  switch (output.type) {
    case "agreeing": {
      const { epoch, members } = output.view
      return emit({ level: "debug", layer, event: "agreeing", ids: { epoch, members: members.length } })
    }
    case "multicast":
    case "proof":
      return emit({ level: "debug", layer, event: "message", ids: { bytes: output.body.length } })
    case "keyed":
      return emit({ level: "debug", layer, event: "keyed", ids: { epoch: output.view.epoch } })
    case "secured":
      return emit({ level: "info", layer, event: "secured", ids: { epoch: output.view.epoch } })
    case "differing": {
      const { view, members } = output
      return emit({ level: "info", layer, event: "statements-differ", ids: { epoch: view.epoch, members } })
    }
    case "refreshDue":
      return emit({ level: "debug", layer, event: "refresh-due", ids: {} })
    case "overdue":
      return emit({ level: "warn", layer, event: "overdue", ids: { member: output.member } })
    case "fault": {
      const { member, reason } = output
      return emit({ level: "warn", layer, event: "fault", ids: { member, reason } })
    }
  }
}

/** Events about admission and content, from what the engine reports to the application. */
export function traceEngineEvent(emit: Tracer, event: EngineEvent): void {
  switch (event.type) {
    case "admission": {
      const { waiting, vouched, knocks } = event.state
      const ids = { waiting, vouched, knocks: knocks.length }
      return emit({ level: "info", layer: "admission", event: "state", ids })
    }
    case "invitation":
      return emit({ level: "info", layer: "admission", event: "new-invitation", ids: {} })
    case "closed":
      return emit({ level: "info", layer: "admission", event: "closed", ids: { reason: event.reason } })
    case "viewStart": {
      const { view, newcomers, awaited } = event.viewStart
      const ids = { epoch: view.epoch, newcomers: newcomers.length, awaited: awaited.length }
      return emit({ level: "debug", layer: "content", event: "view-start", ids })
    }
    case "view": {
      const ids = { epoch: event.view.epoch, what: event.transferScope }
      return emit({ level: "debug", layer: "content", event: "history-transfer", ids })
    }
    case "storage":
      return emit({ level: "info", layer: "content", event: "storage", ids: { state: event.state } })
    case "security": {
      const { code, member } = event.event
      return emit({ level: "warn", layer: "content", event: "reported", ids: { code, member } })
    }
  }
}
