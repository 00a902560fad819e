/** A group under MLS (RFC 9420) as ts-mls has it, in the state that suits it best. */
import {
  createCommit,
  createGroup,
  decodeMlsMessage,
  defaultCapabilities,
  defaultLifetime,
  emptyPskIndex,
  encodeMlsMessage,
  generateKeyPackage,
  getCiphersuiteFromName,
  getCiphersuiteImpl,
  joinGroup,
  processPrivateMessage,
} from "ts-mls"
import type { CiphersuiteImpl, ClientState, Credential } from "ts-mls"

export const MLS_VERSION = "ts-mls 1.6.4"

export type MlsGroup = {
  /** The newest member removes the one in the middle, or of up to four the first; gives the encoded commit. The state stays, so that it can be done again. */
  readonly makeRemoval: () => Promise<Uint8Array>
  /** At the member before the newest; undefined where that is the one who goes. */
  readonly processRemoval?: (commit: Uint8Array) => Promise<void>
}

/**
 * Warm: every inner node has a key, since each member has committed once, right after it came. So a removal blanks one path
 * and nothing else, and a commit encrypts to as few nodes as can be.
 *
 * @param n at least 2
 */
export async function warmMlsGroup(n: number): Promise<MlsGroup> {
  const cipherSuite = await getCiphersuiteImpl(getCiphersuiteFromName("MLS_128_DHKEMX25519_AES128GCM_SHA256_Ed25519"))
  const founder = await newKeys(0, cipherSuite)
  let newest = await createGroup(new Uint8Array(16), founder.publicPackage, founder.privatePackage, [], cipherSuite)
  let second = newest
  for (let i = 1; i < n; i++) {
    const keys = await newKeys(i, cipherSuite)
    const add = { proposalType: "add", add: { keyPackage: keys.publicPackage } } as const
    const added = await createCommit({ state: newest, cipherSuite }, { extraProposals: [add] })
    const joined = await joinGroup(
      added.welcome!,
      keys.publicPackage,
      keys.privatePackage,
      emptyPskIndex,
      cipherSuite,
      added.newState.ratchetTree,
    )
    const update = await createCommit({ state: joined, cipherSuite })
    newest = update.newState
    if (i === n - 1) second = await process(added.newState, encodeMlsMessage(update.commit), cipherSuite)
  }
  const removed = n < 5 ? 0 : Math.floor(n / 2)
  const remove = { proposalType: "remove", remove: { removed } } as const
  return {
    async makeRemoval() {
      const { commit } = await createCommit({ state: newest, cipherSuite }, { extraProposals: [remove] })
      return encodeMlsMessage(commit)
    },
    ...(n - 2 === removed
      ? {}
      : {
          processRemoval: async (commit: Uint8Array) => {
            await process(second, commit, cipherSuite)
          },
        }),
  }
}

function newKeys(i: number, cipherSuite: CiphersuiteImpl) {
  const credential: Credential = { credentialType: "basic", identity: new TextEncoder().encode(`member ${i}`) }
  return generateKeyPackage(credential, defaultCapabilities(), defaultLifetime, [], cipherSuite)
}

async function process(state: ClientState, commit: Uint8Array, cipherSuite: CiphersuiteImpl): Promise<ClientState> {
  const message = decodeMlsMessage(commit, 0)?.[0]
  if (message?.wireformat !== "mls_private_message") throw new Error("a commit is a private message")
  const { newState } = await processPrivateMessage(state, message.privateMessage, emptyPskIndex, cipherSuite)
  return newState
}
