/**
 * Key agreement. See `@keymoot/gke` for costs and guarantees. `tgdh` is the default.
 *
 * `majority` needs a roster (`Admission`). The first key is agreed as soon as more than half of the roster are present.
 * From then on any of them have it, however few. Joining and leaving change no key, so **people of the roster that are
 * away may know it too**. A new key is agreed regularly and by `refreshKey`, while more than half are present.
 */
export type KeyAgreementName = "tgdh" | "str" | "bd" | "gdh" | "ckd" | "majority"

/**
 * Proof of a message's sender. `signature`: the sender's signature over each batch. `group`: only the group key. It
 * proves "some member": any of them could forge another's live messages. Authors sign messages of channels with a
 * history in both modes.
 */
export type Authenticity = "signature" | "group"

/**
 * Cipher of messages, documents and files. `aes-256-gcm` is the default and the fastest in browsers.
 * `chacha20-poly1305` takes the same time on devices without AES instructions. `aes-256-gcm-siv` reveals only equal
 * messages if a nonce ever repeats, and takes the longest. Voice and video always use AES-256-GCM.
 */
export type Cipher = "aes-256-gcm" | "chacha20-poly1305" | "aes-256-gcm-siv"

/**
 * Name of an embedder's own module: `own:` and 1 to 60 of the characters a to z, 0 to 9, `.` and `-`. Each engine that
 * enters needs the module under this name (`@keymoot/core/engine`).
 */
export type OwnModule = `own:${string}`

export function isOwnModule(name: unknown): name is OwnModule {
  return typeof name === "string" && /^own:[a-z0-9.-]{1,60}$/u.test(name)
}

/** `hybrid`: the group key also needs a secret agreed by ML-KEM-768, so it holds if either agreement does. */
export type PostQuantum = "off" | "hybrid"

export type HistoryPolicy = "everything" | "from-join"
