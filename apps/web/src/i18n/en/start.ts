export const start = {
  lead: "A whiteboard and a chat for people with the link. Only the people in the conference can read what you draw and write. Not even this server can.",
  name: "Your name",
  nameMissing: "Enter a name, so that the others know who you are.",
  create: "Start a conference",
  options: "Options",
  cryptography: "Cryptography",
  cryptographyHint: "How the key is made. You need not choose anything here.",
  majorityNames: "Name the people under “Options”, “Who may join”.",
  title: "Title (everybody with the link sees it)",
  admission: "Who may join",
  admissions: {
    link: "everybody with the link",
    approval: "people I let in, one by one",
    roster: "only people I name",
    ca: "only people of an organisation",
  },
  history: "Newcomers see",
  historyEverything: "everything from the start",
  historyFromJoin: "the board as it is, and new chat messages",
  historyHints: {
    everything:
      "Members send earlier chat messages to newcomers. They can’t change a message, but they may leave some out or change the order.",
    "from-join": "Newcomers do not get earlier chat messages. They see what is on the whiteboard.",
  },
  keyAgreement: "Key agreement",
  keyAgreementHints: {
    tgdh: "The usual choice: everybody contributes to the key, and joining and leaving stay quick in large groups.",
    str: "Everybody contributes. Joining is cheap. It takes longer when somebody leaves who joined early.",
    bd: "Everybody contributes again at every change: little to compute, but many messages in large groups.",
    gdh: "Everybody contributes, one after the other: it takes longer when several people come at once.",
    ckd: "One member makes the key and gives it to each of the others: simple, but nobody else contributes.",
    majority: "For named people: the key comes with more than half of them, and those who are away can know it too.",
  },
  authenticity: "What proves who drew",
  authenticityHints: {
    signature: "The usual choice: nobody can draw or point under the name of somebody else.",
    group:
      "No faster by our measurements. Members could draw or point under each other’s name, and nobody can be a viewer. Messages are still signed.",
  },
  cipher: "Encryption",
  cipherHints: {
    "aes-256-gcm": "Fast on nearly all devices.",
    "chacha20-poly1305":
      "Just as safe. It suits devices that are slow with AES, such as some older phones. Calls keep AES.",
    "aes-256-gcm-siv":
      "It still protects texts if random numbers repeat, for example on a copied device. It is slower, and other programs on this device may learn more. Calls keep AES-256-GCM.",
  },
  postQuantum: "Quantum computers",
  postQuantumModes: { off: "no extra protection", hybrid: "extra protection (ML-KEM-768)" },
  postQuantumHints: {
    off: "Somebody who records the conference now could read it with a future quantum computer.",
    hybrid: "What is recorded today stays secret from future quantum computers. The key takes a little more data.",
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
    "Everything goes through a relay, which can’t read it. This is slower. The server still sees your address. Calls only work if the server has a relay for them.",
}

export const enter = {
  title: "You are invited to a conference",
  over: "This conference is over",
  ended: "{{name}} ended this conference ({{time}}).",
  endedByYou: "You ended this conference ({{time}}).",
  about: "About",
  madeBy: "Made by",
  you: "{{name}} (you)",
  whoMay: "Who may join",
  newcomers: "Newcomers see",
  opens: "Opens",
  ends: "Ends",
  looking: "Looking at the invitation…",
  unverified: "Not verified: the name is what that person typed.",
  changedKey: "Careful: this is not the {{name}} you verified. This person has another key.",
  policies: {
    link: "Everybody with the link.",
    approval: "People with the link whom a host lets in, one by one. You will wait for a host.",
    roster_one: "Only {{count}} named person.",
    roster_other: "Only {{count}} named people.",
    ca: "Only people certified by {{name}}.",
  },
  more: "More about this conference",
  join: "Join",
  instead: "Start a conference of your own instead",
}

export const working = {
  creating: "Starting the conference…",
  joining: "Joining…",
  resuming: "Coming back…",
  leaving: "Leaving…",
}
