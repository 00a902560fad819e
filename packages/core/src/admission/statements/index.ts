export { decodeNotice, encodeNotice, type Notice } from "./notice.ts"
export {
  maySetEnd,
  NO_RIGHTS,
  rightsOver,
  type MemberRights,
  bearerOf,
  type Ground,
  HOSTS_MAX,
  roleOf,
  type Standing,
} from "./standing.ts"
export { decodeStatements, encodeStatements, StatementSet } from "./statement-set.ts"
export {
  commitmentOf,
  NO_STATEMENT,
  removalsDigest,
  signStatement,
  STAYING_MAX,
  type GuestRole,
  type PersonKey,
  type Role,
  type SignedStatement,
  type StatementBody,
  type StatementId,
  type StatementScope,
} from "./statement.ts"
export { openVouch, signVouch, VOUCH_AGAIN_MS, vouchesFor, type SignedVouch } from "./vouch.ts"
