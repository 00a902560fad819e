export const start = {
  lead: "A whiteboard and a chat for people with the link. What you draw and write can be read by the people in the conference and by nobody else, not even by this server.",
  name: "Your name",
  nameMissing: "Enter a name, so that the others know who you are.",
  create: "Start a conference",
  advanced: "Advanced",
  title: "Title (only members see it)",
  admission: "Who may enter",
  admissions: {
    link: "everybody who has the link",
    approval: "whom I let in, one by one",
    roster: "only people whom I name",
    ca: "only people of an organisation",
  },
  history: "Newcomers see",
  historyEverything: "everything from the start",
  historyFromJoin: "what happens from when they join",
  keyAgreement: "Key agreement",
  keyAgreementHints: {
    tgdh: "The usual choice: everybody contributes to the key, and changes stay quick in large groups.",
    str: "Everybody contributes. Who comes costs little; who came early and leaves costs the others more.",
    bd: "Everybody contributes anew at every change: little to compute, but many messages in large groups.",
    gdh: "Everybody contributes, one after the other: it takes longer when several people come at once.",
    ckd: "One member makes the key and gives it to each of the others: simple, but nobody else contributes.",
    majority: "For named people: the key comes with more than half of them, and those who are away can know it too.",
  },
  duration: "Ends after",
  hours_one: "{{count}} hour",
  hours_other: "{{count}} hours",
  days_one: "{{count}} day",
  days_other: "{{count}} days",
  or: "or",
  link: "Invitation link",
  linkInvalid: "This is not a complete invitation link. Copy it again, with everything after the # sign.",
  linkElsewhere: "This link belongs to {{host}}. Open it in the address bar.",
  join: "Join",
  footer: "End-to-end encrypted. The server sees who connects and when, not what you say.",
  whatIsProtected: "What is protected?",
  hideAddress: "Hide my internet address from the others",
  hideAddressHint:
    "All goes through a relay, which can read nothing of it. This is slower. The server sees your address all the same.",
  bench: "What it costs, measured",
}

export const enter = {
  title: "You are invited to a conference",
  join: "Join",
  instead: "Start a conference of your own instead",
}

export const working = {
  creating: "Starting the conference…",
  joining: "Joining…",
  resuming: "Coming back…",
  leaving: "Leaving…",
}
