import type { TextsWithoutOne } from "../../plurals.ts"

export const templates: TextsWithoutOne["templates"] = {
  names: {
    sticky: "付箋",
    retro: "テンプレート：振り返り",
    kanban: "テンプレート：かんばん",
    mindMap: "テンプレート：マインドマップ",
    lesson: "テンプレート：授業",
  },
  write: "ここに書く",
  good: "よかったこと",
  bad: "うまくいかなかったこと",
  ideas: "次に試すこと",
  toDo: "これからやる",
  doing: "進行中",
  done: "完了",
  goal: "目標",
  material: "教材",
  tasks: "課題",
  questions: "質問",
  topic: "テーマ",
  idea: "アイデア",
}
