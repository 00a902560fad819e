/** Words and former names to avoid, each with its plain word. */

/** Matched as whole words, in upper and lower case. */
const WORDS: Readonly<Record<string, string>> = {
  whoever: "the actor's term: sender, member, client",
  whomever: "the actor's term: sender, member, client",
  whosoever: "the actor's term: sender, member, client",
  wherever: "where",
  thereby: "so",
  herewith: "with this",
  "as if nothing had happened": "unchanged",
  "a life of": "an incarnation of",
  "is told": "is notified",
  "are told": "are notified",
  reckon: "calculate",
  reckons: "calculates",
  reckoned: "calculated",
}

/**
 * Former names of parts, and words of the dialect that they came from. Left out are those with another meaning here:
 * card (a certificate as text), door (messages of waiting persons), opening, pair, life.
 */
const NAMES: Readonly<Record<string, string>> = {
  restless: "flapping",
  groundless: "spurious",
  companions: "transitional set",
  HandingOver: "HistoryTransfer",
  "hand over": "transfer, send",
  "hands over": "transfers, sends",
  "handed over": "transferred, sent",
  "handing over": "transfer",
  Departures: "SignQueue",
  lateness: "delay",
  Pace: "RateEstimator",
  besideOf: "decodeOutOfGroup",
  fate: "result",
  told: "notified, reported",
  peering: "link",
  detour: "relay route",
  detours: "relay routes",
}

type Avoided = readonly { readonly word: string; readonly plain: string; readonly pattern: RegExp }[]

/** A name with a capital is an identifier, so its case counts. */
function avoided(words: Readonly<Record<string, string>>): Avoided {
  return Object.entries(words).map(([word, plain]) => {
    return { word, plain, pattern: new RegExp(`\\b${word}\\b`, /[A-Z]/u.test(word) ? "u" : "iu") }
  })
}

const AVOIDED_WORDS = avoided(WORDS)
const AVOIDED_NAMES = avoided(NAMES)

/** A complaint about each word to avoid, or null. */
export function wordsIn(text: string): string | null {
  return complaintOf(AVOIDED_WORDS, text)
}

/** A complaint about each former name, or null. */
export function namesIn(text: string): string | null {
  return complaintOf(AVOIDED_NAMES, text)
}

function complaintOf(all: Avoided, text: string): string | null {
  const found = all.filter(({ pattern }) => pattern.test(text))
  return found.length ? found.map(({ word, plain }) => `Not "${word}", but ${plain}`).join("; ") : null
}
