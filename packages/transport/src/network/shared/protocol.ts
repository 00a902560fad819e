import * as P from "micro-packed"

/** A part of the protocol that two ends use if both support it. Numbered in docs/protocol/versions.md. */
export type Feature = number

/** `major`: ends with different ones cannot read each other beyond the card. `features`: ascending. */
export type Protocol = { readonly major: number; readonly features: readonly Feature[] }

/**
 * The version that this code implements, defined only here. docs/protocol/versions.md says when to change which part.
 */
export const PROTOCOL: Protocol = { major: 1, features: [] }

/** Features that one end lists. A longer list does not decode. */
export const FEATURES_MAX = 32

const majorCoder = P.validate(P.U16BE, (major) => {
  if (major === 0) throw new RangeError("the protocol version 0 is not valid")
  return major
})
const featureCount = P.validate(P.U8, (count) => {
  if (count > FEATURES_MAX) throw new RangeError("too many features")
  return count
})
const ascending = P.validate(P.array(featureCount, P.U16BE), (features) => {
  if (features.some((feature, index) => index > 0 && feature <= features[index - 1]!))
    throw new RangeError("features are not in ascending order")
  return features
})
export const featureList: P.CoderType<readonly Feature[]> = P.apply<number[], readonly Feature[]>(ascending, {
  encode: (features) => features,
  decode: (features) => [...features],
})

/** Never changes: members of every version read it. */
export const protocolCoder: P.CoderType<Protocol> = P.struct({ major: majorCoder, features: featureList })

/** The features in both lists. */
export function commonFeatures(a: readonly Feature[], b: readonly Feature[]): readonly Feature[] {
  return a.filter((feature) => b.includes(feature))
}

/** Which of two ends with different major versions has the older one. */
export type OlderEnd = "us" | "them"
