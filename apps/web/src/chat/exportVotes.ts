import type { TFunction } from "i18next"
import { optionsIn } from "../i18n/quickVotes.ts"
import type { Poll } from "../tools/votes/polls.ts"
import { indented, inOneLine } from "./textLines.ts"

/** The votes as a person reads them, the oldest first, one a paragraph. A count precedes what its author wrote. */
export function votesAsText(polls: readonly Poll[], t: TFunction, language: string): readonly string[] {
  if (polls.length === 0) return []
  return [`— ${t("polls.title")}`, ...polls.map((poll) => voteAsText(poll, t, language)).toReversed()]
}

function voteAsText(poll: Poll, t: TFunction, language: string): string {
  const { question, options, from, closed, hidden, voters, voted, unknown } = poll
  const counts = optionsIn(language, options).map((option, at) => {
    const counted = closed || !hidden ? `${t("polls.votes", { count: voters[at]!.length })}: ` : "– "
    return counted + inOneLine(option)
  })
  const state = [
    t("polls.voted", { count: voted.length }),
    t(closed ? "polls.closed" : "polls.open"),
    !closed && hidden && t("polls.waits"),
    unknown > 0 && t("polls.unknown", { count: unknown }),
  ]
  const lines = [inOneLine(question), ...counts, state.filter(Boolean).join(" ")]
  return `${from.name}:\n${lines.map(indented).join("\n")}`
}
