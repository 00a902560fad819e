import { bytesToHex } from "@noble/hashes/utils.js"
import {
  NO_STATEMENT,
  signStatement,
  StatementSet,
  type SignedStatement,
  type StatementBody,
  type StatementScope,
} from "../../src/admission/index.ts"
import { createCredentialChecker, type OwnIdentity } from "../../src/identity/index.ts"
import { newcomer } from "../identity/people.ts"

export const scope: StatementScope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
export const checker = createCredentialChecker()

/** Somebody who may say things as a host, with a chain of its own, whatever anybody thinks of it. */
export class Speaker {
  readonly identity: OwnIdentity
  readonly said: SignedStatement[] = []

  static async of(name: string): Promise<Speaker> {
    return new Speaker(await newcomer(name))
  }

  constructor(identity: OwnIdentity) {
    this.identity = identity
  }

  get key(): string {
    return bytesToHex(this.identity.publicKey)
  }

  /** `after`: of whom the last statement that counts is `heard`. */
  async say(body: StatementBody, heard = NO_STATEMENT, previous = this.said.at(-1)): Promise<SignedStatement> {
    const number = (previous?.statement.number ?? 0) + 1
    const statement = { issuer: this.key, number, previous: previous?.id ?? NO_STATEMENT, heard, body }
    const signed = await signStatement(this.identity.signer, scope, statement)
    this.said.push(signed)
    return signed
  }

  makes(other: Speaker, role: "host" | "editor" | "viewer", heard?: string): Promise<SignedStatement> {
    return this.say({ type: "role", subject: other.key, role }, heard)
  }

  removes(other: Speaker): Promise<SignedStatement> {
    return this.say({ type: "removal", subject: other.key }, other.said.at(-1)?.id)
  }
}

export function setOf(creator: Speaker): StatementSet {
  return new StatementSet(creator.key, scope, checker)
}

export function bytesOf(...statements: readonly SignedStatement[]): Uint8Array[] {
  return statements.map(({ bytes }) => bytes)
}
