import { expect, test } from "vitest"
import { complaintAbout } from "../commit-subjects.ts"

test.each(["mesh: fix resume after a lost third offer", "web: show refused copies"])("accepts %s", (subject) => {
  expect(complaintAbout(subject)).toBeNull()
})

test.each([
  ["no area", "Fix resume after a lost third offer"],
  ["two areas", "core, web: show refused copies"],
  ["a full stop", "mesh: fix resume."],
  ["no summary", "mesh: "],
  ["73 characters", `mesh: ${"x".repeat(67)}`],
])("refuses a subject with %s", (_, subject) => {
  expect(complaintAbout(subject)).not.toBeNull()
})
