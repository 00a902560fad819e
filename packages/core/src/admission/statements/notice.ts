/** Messages between neighbours outside the group, whether they are admitted or not. */
import * as P from "micro-packed"
import { outsideSealed, type OutsideSealed } from "../../outside/outside-codec.ts"
import { decodeOrNull, versionByte } from "../../wire/index.ts"
import { statementListCoder } from "./statement-set.ts"
import { VOUCH_BYTES } from "./vouch.ts"

export type Notice =
  /** All statements that the sender knows. */
  | { readonly type: "statements"; readonly statements: readonly Uint8Array[]; readonly vouch: Uint8Array | null }
  /** The present invitation's secret, for a member that was admitted without it. */
  | { readonly type: "invitation"; readonly secret: Uint8Array }
  /** A host refuses to admit the receiver. */
  | { readonly type: "refusal" }
  /** A host tells a waiting person the key of its epoch for messages from outside. */
  | { readonly type: "outsideKey"; readonly key: Uint8Array }
  /** A waiting person writes to a host. */
  | { readonly type: "outsideMessage"; readonly sealed: OutsideSealed }
  /** A host writes to a waiting person. */
  | { readonly type: "outsideAnswer"; readonly sealed: OutsideSealed }

const statements = P.struct({ statements: statementListCoder, vouch: P.optional(P.bool, P.bytes(VOUCH_BYTES)) })
const coder = P.struct({
  version: versionByte(1),
  notice: P.mappedTag(P.U8, {
    statements: [1, statements],
    refusal: [2, P.bytes(0)],
    invitation: [3, P.bytes(16)],
    outsideKey: [4, P.bytes(32)],
    outsideMessage: [5, outsideSealed],
    outsideAnswer: [6, outsideSealed],
  }),
})

export function encodeNotice(notice: Notice): Uint8Array {
  if (notice.type === "refusal") return coder.encode({ notice: { TAG: "refusal", data: P.EMPTY } })
  if (notice.type === "invitation") return coder.encode({ notice: { TAG: "invitation", data: notice.secret } })
  if (notice.type === "outsideKey") return coder.encode({ notice: { TAG: notice.type, data: notice.key } })
  if (notice.type !== "statements") return coder.encode({ notice: { TAG: notice.type, data: notice.sealed } })
  const { statements, vouch } = notice
  return coder.encode({
    notice: { TAG: "statements", data: { statements: [...statements], vouch: vouch ?? undefined } },
  })
}

export function decodeNotice(bytes: Uint8Array): Notice | null {
  const decoded = decodeOrNull(coder, bytes)
  if (!decoded) return null
  const { TAG: type, data } = decoded.notice
  switch (type) {
    case "refusal":
      return { type }
    case "invitation":
      return { type, secret: data.slice() }
    case "outsideKey":
      return { type, key: data.slice() }
    case "statements":
      return { type, statements: data.statements, vouch: data.vouch ?? null }
    default:
      return { type, sealed: data }
  }
}
