/** The rules of plain English that a program can check: sentence length, sentence openings, and words to avoid. */
import type { TextlintRuleReporter } from "@textlint/types"
import { splitAST, type TxtSentenceNode } from "sentence-splitter"

export const SENTENCE_WORDS_MAX = 25

/** Openings that hide the subject of a sentence. A question may begin with them. */
const OPENINGS = /^(?:who|whoever|whom|what|whatever|where|wherever|of|to whom|to those|those who)\b/iu

/** Expressions with their plain word. Each is matched as a whole word. */
export const WORDS: Readonly<Record<string, string>> = {
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

type Sentence = { readonly node: TxtSentenceNode; readonly text: string }

/** All rules read the same sentences, and splitting takes most of the time. */
const sentencesByParagraph = new WeakMap<object, readonly Sentence[]>()

/** Code spans count as one word. The splitter has older types of the same nodes, hence the casts. */
function sentencesOf(paragraph: object): readonly Sentence[] {
  const known = sentencesByParagraph.get(paragraph)
  if (known) return known
  const nodes = splitAST(paragraph as never).children.filter(({ type }) => type === "Sentence") as TxtSentenceNode[]
  const sentences = nodes.map((node) => ({ node, text: plainText(node) }))
  sentencesByParagraph.set(paragraph, sentences)
  return sentences
}

/** Runs `check` for each sentence of each paragraph. */
function forSentences(check: (text: string) => string | null): TextlintRuleReporter {
  return (context) => ({
    [context.Syntax.Paragraph](paragraph) {
      for (const { node, text } of sentencesOf(paragraph)) {
        const message = check(text)
        if (message) context.report(node as never, new context.RuleError(message))
      }
    },
  })
}

function plainText(node: object): string {
  const { type, value, children } = node as { type: string; value?: string; children?: readonly object[] }
  if (type === "Code") return "code"
  return children ? children.map(plainText).join("") : (value ?? "")
}

const longSentences = forSentences((text) => {
  const words = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  return words > SENTENCE_WORDS_MAX ? `${words} words; at most ${SENTENCE_WORDS_MAX}: "${start(text)}"` : null
})

const openings = forSentences((text) => {
  return OPENINGS.test(text.trim()) && !text.trim().endsWith("?") ? `Begin with the subject: "${start(text)}"` : null
})

const avoidedWords = Object.keys(WORDS).map((word) => ({ word, pattern: new RegExp(`\\b${word}\\b`, "iu") }))
const avoided = forSentences((text) => {
  const found = avoidedWords.filter(({ pattern }) => pattern.test(text)).map(({ word }) => word)
  return found.length ? found.map((word) => `Not "${word}", but ${WORDS[word]}`).join("; ") : null
})

function start(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ").slice(0, 60)
}

export const rules = [
  { ruleId: "sentence-length", rule: longSentences },
  { ruleId: "sentence-opening", rule: openings },
  { ruleId: "words", rule: avoided },
]
