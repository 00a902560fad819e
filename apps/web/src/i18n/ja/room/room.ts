import type { TextsWithoutOne } from "../../plurals.ts"

export const room: TextsWithoutOne["room"] = {
  lower: "{{name}}さんの手を下ろす",
  lowerMine: "手を下ろす",
  lowered: "{{name}}さんがあなたの手を下ろしました。",
  peopleWaiting_other: "参加者、{{count}}人が待機中",
  role: {
    host: "{{name}}さんがホストになりました。",
    editor: "{{name}}さんは書いたり描いたりできるようになりました。",
    viewer: "{{name}}さんは見ることだけができるようになりました。",
  },
  myRole: {
    host: "あなたはホストになりました。入室の許可、会議から外すこと、役割の変更ができます。",
    editor: "書いたり描いたりできるようになりました。",
    viewer: "今は見ることだけができます。ホストが変更できます。",
  },
  newHand: "会議で手を挙げた人がいます",
}
