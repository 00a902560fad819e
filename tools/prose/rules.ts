/** The rules of plain English that a program can check: lengths, sentence openings, and words to avoid. */
import type { TextlintRuleReporter } from "@textlint/types"
import { splitAST, type TxtSentenceNode } from "sentence-splitter"
import { English } from "sentence-splitter/lang"
import { namesIn, wordsIn } from "./words.ts"

export const SENTENCE_WORDS_MAX = 25
export const PARAGRAPH_WORDS_MAX = 80

/** Openings that hide the subject of a sentence. A question may begin with them. */
const OPENINGS = /^(?:who|whoever|whom|what|whatever|where|wherever|of|to whom|to those|those who)\b/iu

/** The part of a node that the rules read. */
type Node = {
  readonly type: string
  readonly value?: string
  readonly raw: string
  readonly range: readonly [number, number]
  readonly loc: { readonly start: object; readonly end: object }
  readonly children?: readonly Node[]
}
type Sentence = { readonly node: TxtSentenceNode; readonly text: string }

/** "ms." ends a sentence about milliseconds. The splitter takes it for the title "Ms." and reads on. */
const isMilliseconds = (word: string): boolean => word === "Ms."
const language = {
  ...English,
  ABBREVIATIONS: English.ABBREVIATIONS.filter((word) => !isMilliseconds(word)),
  PREPOSITIVE_ABBREVIATIONS: English.PREPOSITIVE_ABBREVIATIONS.filter((word) => !isMilliseconds(word)),
}

/** All rules read the same sentences, and splitting takes most of the time. */
const sentencesByBlock = new WeakMap<object, readonly Sentence[]>()

/** @param block a paragraph or a cell of a table. The splitter has older types of the same nodes, hence the casts. */
function sentencesOf(block: Node): readonly Sentence[] {
  const known = sentencesByBlock.get(block)
  if (known) return known
  const nodes = linesOf(block).flatMap((line) => splitAST(line as never, { AbbrMarker: { language } }).children)
  const sentences = nodes
    .filter((node): node is TxtSentenceNode => node.type === "Sentence")
    .map((node) => ({ node, text: plainText(node as never) }))
  sentencesByBlock.set(block, sentences)
  return sentences
}

/** Parts of a cell between `<br>`, as paragraphs. A paragraph is one. */
function linesOf(block: Node): readonly Node[] {
  if (block.type === "Paragraph") return [block]
  const lines: Node[][] = [[]]
  for (const child of block.children ?? []) {
    if (child.type === "Html" && /^<br ?\/?>$/u.test(child.raw)) lines.push([])
    else lines.at(-1)!.push(child)
  }
  return lines.flatMap((children) => {
    const [first, last] = [children[0], children.at(-1)]
    if (!first || !last) return []
    const range = [first.range[0], last.range[1]] as const
    const raw = block.raw.slice(range[0] - block.range[0], range[1] - block.range[0])
    return [{ type: "Paragraph", children, raw, range, loc: { start: first.loc.start, end: last.loc.end } }]
  })
}

/** A code span counts as one word. */
function plainText(node: Node): string {
  if (node.type === "Code") return "code"
  return node.children ? node.children.map(plainText).join("") : (node.value ?? "")
}

/** With the content of code spans. */
function wholeText(node: Node): string {
  return node.children ? node.children.map(wholeText).join("") : (node.value ?? "")
}

function wordsOf(text: string): number {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** Runs `check` for each sentence of each paragraph, and of each cell if `cells`. Null: nothing to report. */
function forSentences(check: (sentence: Sentence) => string | null, cells = true): TextlintRuleReporter {
  return (context) => {
    const report = (block: object): void => {
      for (const sentence of sentencesOf(block as Node)) {
        const message = check(sentence)
        if (message) context.report(sentence.node as never, new context.RuleError(message))
      }
    }
    return { [context.Syntax.Paragraph]: report, ...(cells ? { [context.Syntax.TableCell]: report } : {}) }
  }
}

const longSentences = forSentences(({ text }) => {
  const words = wordsOf(text)
  return words > SENTENCE_WORDS_MAX ? `${words} words; at most ${SENTENCE_WORDS_MAX}: "${start(text)}"` : null
})

const longParagraphs: TextlintRuleReporter = (context) => ({
  [context.Syntax.Paragraph](paragraph) {
    const text = plainText(paragraph as unknown as Node)
    const words = wordsOf(text)
    if (words <= PARAGRAPH_WORDS_MAX) return
    const message = `Paragraph of ${words} words; at most ${PARAGRAPH_WORDS_MAX}: "${start(text)}"`
    context.report(paragraph, new context.RuleError(message))
  },
})

/** Cells are labels as often as sentences. */
const openings = forSentences(({ text }) => {
  return OPENINGS.test(text.trim()) && !text.trim().endsWith("?") ? `Begin with the subject: "${start(text)}"` : null
}, false)

const words = forSentences(({ text }) => wordsIn(text))
const names = forSentences(({ node }) => namesIn(wholeText(node as never)))

function start(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ").slice(0, 60)
}

const sentenceLength = { ruleId: "sentence-length", rule: longSentences }
const paragraphLength = { ruleId: "paragraph-length", rule: longParagraphs }
const sentenceOpening = { ruleId: "sentence-opening", rule: openings }
const avoidedWords = { ruleId: "words", rule: words }
const formerNames = { ruleId: "names", rule: names }

export type Rules = readonly { readonly ruleId: string; readonly rule: TextlintRuleReporter }[]

export const DOCUMENT_RULES: Rules = [sentenceLength, paragraphLength, sentenceOpening, avoidedWords, formerNames]
/** Comments may quote a former name, such as a field of the wire. */
export const COMMENT_RULES: Rules = [sentenceLength, paragraphLength, sentenceOpening, avoidedWords]
/** Texts on the screen are labels as often as sentences. */
export const SCREEN_RULES: Rules = [sentenceLength, avoidedWords, formerNames]
