export const embed = {
  inside: {
    unseen: "Shown inside another website, which can’t read what you write or draw here.",
    known: "Shown inside another website. It knows the link of this conference, so it can join.",
    unsaid: "Shown inside another website.",
  },
  insideOf: {
    unseen: "Shown inside {{host}}, which can’t read what you write or draw here.",
    known: "Shown inside {{host}}. This website knows the link of this conference, so it can join.",
    unsaid: "Shown inside {{host}}.",
  },
  refused: "Keymoot may not be shown inside this website",
  refusedHint: "Its server does not name this website as allowed. Open Keymoot in a tab of its own.",
  open: "Open in a new tab",
}
