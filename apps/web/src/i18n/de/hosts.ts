export const hosts = {
  roles: { host: "Leitung", editor: "Mitwirkend", viewer: "Nur zusehend" },
  role: "Rolle",
  remove: "Entfernen",
  removeTitle: "{{name}} entfernen?",
  removeHint:
    "Für immer: Diese Person liest von nun an nichts mehr. Die anderen bekommen einen neuen Schlüssel, und die Einladung wird ein neuer Link; der alte lässt niemanden ohne die Leitung hinein.",
  removeNow: "Für immer entfernen",
  cancel: "Abbrechen",
  knocks: "Warten auf Einlass",
  admit: "Hereinlassen",
  admitName: "{{name}} hereinlassen",
  refuse: "Abweisen",
  refuseName: "{{name}} abweisen",
  failed: "Das ging nicht. Vielleicht hat eine höhere Leitung anders entschieden.",
  knockNews_one: "{{names}} möchte herein.",
  knockNews_other: "{{names}} möchten herein.",
  waiting: "Warten auf die Leitung",
  waitingHint: "Die Leitung dieser Konferenz muss Sie hereinlassen. Bis dahin sieht nur die Leitung Ihren Namen.",
  stopWaiting: "Nicht länger warten",
  unvouched:
    "In der letzten Stunde hat keine Leitung für diesen Raum gebürgt: Jemand, der entfernt wurde, könnte hier sein. Sagen Sie nichts Vertrauliches, bevor eine Leitung kommt.",
  viewing: "Sie können hier zusehen. Die Leitung kann Sie schreiben und zeichnen lassen.",
}
