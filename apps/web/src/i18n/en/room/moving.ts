export const moving = {
  open: "Continue in a new conference",
  hint: "The whiteboard is copied into a new conference with the same title and rules. This conference stays as it is. Chat, files and votes stay here.",
  rules: "You will be its host, and let others in.",
  tell: "Send the new link to the people here",
  tellHint:
    "They decide themselves whether they come along. Without it you have a copy of the whiteboard for yourself.",
  go: "Continue there",
  message: "We continue here: {{url}}",
  failed: "The new conference could not be started. Try again.",
}
