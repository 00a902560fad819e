/** The work of each member in one view change. */
import type { MemberId } from "@keymoot/gke"
import type { Conference } from "./conference.ts"
import { median } from "../experiment/machine.ts"

/** One member's part in one view change. */
export type Part = {
  milliseconds: number
  /** The part of the work after another member's message. */
  afterMessages: number
  longestStep: number
  exponentiations: number
  kemOperations: number
  sent: number
  received: number
  contribution: number
}

/** Returns each member's work in a view change to these members. */
export function partsOf(conference: Conference, ids: readonly MemberId[]): ReadonlyMap<MemberId, Part> {
  const parts = new Map(ids.map((id) => [id, idlePart()]))
  conference.onStep = ({ member, input, outputs, milliseconds, exponentiations, kemOperations }) => {
    const part = parts.get(member)!
    if (input.type === "contribute") part.contribution += milliseconds
    else {
      part.milliseconds += milliseconds
      part.longestStep = Math.max(part.longestStep, milliseconds)
      part.exponentiations += exponentiations
      part.kemOperations += kemOperations
      part.sent += outputs.filter(({ type }) => type === "multicast" || type === "unicast").length
      if (input.type === "message" && input.from !== member) {
        part.received++
        part.afterMessages += milliseconds
      }
    }
  }
  conference.change(ids)
  conference.onStep = () => {}
  return parts
}

function idlePart(): Part {
  return {
    milliseconds: 0,
    afterMessages: 0,
    longestStep: 0,
    exponentiations: 0,
    kemOperations: 0,
    sent: 0,
    received: 0,
    contribution: 0,
  }
}

/**
 * Returns the part with the most of these operations, and the median of several. The slowest by the clock may only have
 * been interrupted.
 */
export function busiest(
  parts: readonly Part[],
  operations: "exponentiations" | "kemOperations" = "exponentiations",
): Part {
  const most = Math.max(...parts.map((part) => part[operations]))
  const busy = parts.filter((part) => part[operations] === most)
  const milliseconds = median(busy.map((part) => part.milliseconds))
  const longestStep = median(busy.map((part) => part.longestStep))
  return { ...busy[0]!, milliseconds, longestStep }
}
