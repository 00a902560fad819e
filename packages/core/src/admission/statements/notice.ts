/** Messages between neighbours outside the group, whether they are admitted or not. */
import * as P from "micro-packed"
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

const statements = P.struct({ statements: statementListCoder, vouch: P.optional(P.bool, P.bytes(VOUCH_BYTES)) })
const coder = P.struct({
  version: versionByte(1),
  notice: P.mappedTag(P.U8, { statements: [1, statements], refusal: [2, P.bytes(0)], invitation: [3, P.bytes(16)] }),
})

export function encodeNotice(notice: Notice): Uint8Array {
  if (notice.type === "refusal") return coder.encode({ notice: { TAG: "refusal", data: P.EMPTY } })
  if (notice.type === "invitation") return coder.encode({ notice: { TAG: "invitation", data: notice.secret } })
  const { statements, vouch } = notice
  return coder.encode({
    notice: { TAG: "statements", data: { statements: [...statements], vouch: vouch ?? undefined } },
  })
}

export function decodeNotice(bytes: Uint8Array): Notice | null {
  const decoded = decodeOrNull(coder, bytes)
  if (!decoded) return null
  if (decoded.notice.TAG === "refusal") return { type: "refusal" }
  if (decoded.notice.TAG === "invitation") return { type: "invitation", secret: decoded.notice.data.slice() }
  const { statements, vouch } = decoded.notice.data
  return { type: "statements", statements, vouch: vouch ?? null }
}
