/** Inputs and outputs of `AdmissionCore`. */
import type { InvitationKeys, MemberId, View } from "@keymoot/transport"
import type { AdmissionState, SecurityEvent } from "../api/index.ts"
import type { OutsideBody } from "../outside/outside-codec.ts"
import type { GateOutput, NeighbourUp } from "./gate.ts"
import type { SignedVouch } from "./statements/vouch.ts"
import type { Standing } from "./statements/standing.ts"

export type AdmissionInput =
  | NeighbourUp
  | { readonly type: "linkDown"; readonly peer: MemberId; readonly reason: string }
  /** The name in a neighbour's certificate. */
  | { readonly type: "named"; readonly member: MemberId; readonly name: string }
  /** The set of verified people has changed. */
  | { readonly type: "verified" }
  | { readonly type: "tick"; readonly nowMs: number; readonly wallMs: number }
  /** The valid statements have changed. `vouch`: a host's, that came with them. */
  | { readonly type: "standing"; readonly standing: Standing; readonly vouch: SignedVouch | null }
  | { readonly type: "vouch"; readonly vouch: SignedVouch }
  /** A view begins. */
  | { readonly type: "view"; readonly view: View }
  | { readonly type: "secured"; readonly view: View }
  /** No key is agreed in this view, because these members know other statements. */
  | { readonly type: "differing"; readonly view: View; readonly members: readonly MemberId[] }
  /** The group reports a proposed view with a member that is not admitted here. */
  | { readonly type: "unadmitted"; readonly coordinator: MemberId }
  /** A neighbour sent the secret of an invitation. */
  | { readonly type: "secret"; readonly secret: Uint8Array }
  /** A member sent it to this view, encrypted under the epoch key. */
  | { readonly type: "invitationSecret"; readonly from: MemberId; readonly secret: Uint8Array; readonly view: View }
  /** This host issues an invitation with this secret. */
  | { readonly type: "issue"; readonly secret: Uint8Array }
  /** A neighbour refuses to admit this member. */
  | { readonly type: "refusal"; readonly from: MemberId }
  /** A waiting person has written to this host, with a valid signature. */
  | { readonly type: "guestWrote"; readonly from: MemberId; readonly body: OutsideBody }
  /** This host has answered it. */
  | { readonly type: "answered"; readonly to: MemberId; readonly text: string }
  /** This waiting person has written to the hosts. */
  | { readonly type: "wrote"; readonly text: string }
  /** A linked host has written to this waiting person, with a valid signature. */
  | { readonly type: "hostWrote"; readonly from: MemberId; readonly body: OutsideBody }
  /** This host refuses to admit a waiting person. */
  | { readonly type: "refuse"; readonly member: MemberId }

export type AdmissionNotice =
  /** All statements known here. */
  | { readonly type: "statements"; readonly vouch: Uint8Array | null }
  | { readonly type: "invitation"; readonly secret: Uint8Array }
  | { readonly type: "refusal" }

export type AdmissionOutput =
  | GateOutput
  | { readonly type: "notify"; readonly to: readonly MemberId[]; readonly notice: AdmissionNotice }
  /** Send the secret in the present secured view. */
  | { readonly type: "sendSecret"; readonly secret: Uint8Array }
  /** Link with holders of these keys from now on. */
  | { readonly type: "useKeys"; readonly current: InvitationKeys; readonly former: readonly InvitationKeys[] }
  /** The key is bound to the hosts' statements, so another view is needed. */
  | { readonly type: "changeView" }
  /** Statements differ, so the present view gets no key. */
  | { readonly type: "replaceView" }
  /** It keeps the others from a key. */
  | { readonly type: "obstructed"; readonly member: MemberId }
  | { readonly type: "state"; readonly state: AdmissionState }
  /** The link to share has changed. */
  | { readonly type: "invitation"; readonly url: string }
  /** Roles may have changed. */
  | { readonly type: "roles" }
  /** A host has removed or refused this member for good. */
  | { readonly type: "out"; readonly reason: "removed" | "refused" }
  | {
      readonly type: "report"
      readonly code: SecurityEvent["code"]
      readonly member: MemberId | null
      readonly detail: string
    }
  /** Store the statements and invitations. */
  | { readonly type: "keep" }
  /** Sign a vouch for the present standing, and return it as an input. */
  | { readonly type: "vouchDue" }
  /** Issue a new invitation: the present one admits nobody. */
  | { readonly type: "renewalDue" }
