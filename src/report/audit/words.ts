import type { AuditLanguage, AuditStatus } from '#schema/audit.ts';

/** The texts of a report in one language. Headings and labels stay English: other programs search for them. */
interface Words {
  readonly declaredFor: (roles: string) => string;
  readonly checkUse: (role: string) => string;
  readonly expected: (agent: string, to: string) => string;
  readonly doesNotExist: (cited: string) => string;
  readonly notInCode: (claim: string) => string;
  readonly ignored: (density: number, unused: number) => string;
  readonly noInputs: string;
  readonly none: string;
  readonly skipped: string;
  readonly noRecord: string;
  readonly recommend: {
    readonly records: (files: string) => string;
    readonly fabrications: (refs: string) => string;
    readonly outputs: (pairs: string) => string;
    readonly gaps: (refs: string) => string;
    readonly orphans: (agents: string) => string;
  };
  readonly verdict: Readonly<Record<AuditStatus, string>>;
  /** Added to the verdict when something fails the audit. */
  readonly fails: (count: number) => string;
}

const en: Words = {
  declaredFor: (roles) => `declared for ${roles}, not cited.`,
  checkUse: (role) =>
    `Find out whether ${role} used it: if so, cite it in the Handoff Record; if not, plan it for the next iteration.`,
  expected: (agent, to) => `${agent} hands something on to ${to} and declared nothing.`,
  doesNotExist: (cited) => `cited ${cited}, which does not exist.`,
  notInCode: (claim) => `claimed ${claim}, and the code does not show it.`,
  ignored: (density, unused) => `citation density ${density}%, ${unused} outputs unused`,
  noInputs: 'Inputs section is `- none` (not planner/thinker)',
  none: 'None.',
  skipped: 'Skipped',
  noRecord: 'no Handoff Record',
  recommend: {
    records: (files) => `Write or repair the Handoff Records of ${files}.`,
    fabrications: (refs) => `Correct citations of things that do not exist: ${refs}.`,
    outputs: (pairs) => `Declare what has to be handed on: ${pairs}.`,
    gaps: (refs) => `Use or withdraw what was handed on and not used: ${refs}.`,
    orphans: (agents) => `Connect the agents that worked alone: ${agents}.`,
  },
  verdict: {
    Healthy: 'Real teamwork. No gap of importance.',
    Normal: 'Ordinary teamwork. Look at the gaps above in the next iteration.',
    Suspicious: 'The teamwork has holes. Review the design of the pipeline.',
    Theater:
      '⚠️ This is not a team, it is a sequence of independent scripts. Revise the prompts of the agents before the next run.',
    'n/a': 'Nothing was addressed to an agent that took part, so there is nothing to measure.',
  },
  fails: (count) => `The audit still fails: ${count} records or citations are wrong.`,
};

const ko: Words = {
  declaredFor: (roles) => `${roles}에게 선언되었으나 인용되지 않음.`,
  checkUse: (role) =>
    `${role}가 실제로 사용했는지 확인하세요. 사용했다면 Handoff Record에 인용하고, 아니라면 다음 iteration에서 다루세요.`,
  expected: (agent, to) => `${agent}는 ${to}에게 산출물을 넘겨야 하지만 아무것도 선언하지 않음.`,
  doesNotExist: (cited) => `${cited}를 인용했으나 존재하지 않음.`,
  notInCode: (claim) => `${claim}를 주장했으나 코드에 근거가 없음.`,
  ignored: (density, unused) => `인용 밀도 ${density}%, 사용되지 않은 산출물 ${unused}개`,
  noInputs: 'Inputs 섹션이 `- none`임 (planner/thinker 아님)',
  none: '없음.',
  skipped: '생략',
  noRecord: 'Handoff Record 없음',
  recommend: {
    records: (files) => `다음 파일의 Handoff Record를 작성하거나 고치세요: ${files}.`,
    fabrications: (refs) => `존재하지 않는 대상을 가리키는 인용을 고치세요: ${refs}.`,
    outputs: (pairs) => `넘겨야 할 산출물을 선언하세요: ${pairs}.`,
    gaps: (refs) => `쓰이지 않은 산출물을 사용하거나 철회하세요: ${refs}.`,
    orphans: (agents) => `혼자 일한 에이전트를 연결하세요: ${agents}.`,
  },
  verdict: {
    Healthy: '건강한 팀 협업. 의미 있는 gap 없음.',
    Normal: '일반적인 협업. 위의 gap은 다음 iteration에서 고려하세요.',
    Suspicious: '협업에 구멍이 있음. 설계 리뷰를 권장합니다.',
    Theater: '⚠️ 이건 팀이 아니라 순차 실행입니다. 에이전트 프롬프트를 다시 검토하세요.',
    'n/a': '참여한 에이전트에게 넘겨진 산출물이 없어 측정할 것이 없습니다.',
  },
  fails: (count) => `그래도 감사는 실패입니다: 잘못된 기록 또는 인용 ${count}건.`,
};

const ja: Words = {
  declaredFor: (roles) => `${roles} 宛てに宣言されたが、引用されていない。`,
  checkUse: (role) =>
    `${role} が使ったか確認してください。使ったなら Handoff Record に引用し、使っていないなら次の反復で扱ってください。`,
  expected: (agent, to) => `${agent} は ${to} に成果を渡すはずだが、何も宣言していない。`,
  doesNotExist: (cited) => `存在しない ${cited} を引用した。`,
  notInCode: (claim) => `${claim} と主張したが、コードに根拠がない。`,
  ignored: (density, unused) => `引用密度 ${density}%、使われていない出力 ${unused} 件`,
  noInputs: 'Inputs が `- none` (planner/thinker ではない)',
  none: 'なし。',
  skipped: '省略',
  noRecord: 'Handoff Record なし',
  recommend: {
    records: (files) => `次の Handoff Record を書くか直してください: ${files}。`,
    fabrications: (refs) => `行き先のない引用を直してください: ${refs}。`,
    outputs: (pairs) => `渡すべき成果を宣言してください: ${pairs}。`,
    gaps: (refs) => `使われなかった出力を使うか取り下げてください: ${refs}。`,
    orphans: (agents) => `孤立したエージェントをつないでください: ${agents}。`,
  },
  verdict: {
    Healthy: '健全なチームワーク。重要なギャップはない。',
    Normal: '通常の協働。上のギャップは次の反復で見てください。',
    Suspicious: '協働に穴がある。設計の見直しを勧める。',
    Theater:
      '⚠️ これはチームではなく、順番に動くだけのスクリプトです。エージェントのプロンプトを見直してください。',
    'n/a': '参加したエージェント宛ての出力がないため、測るものがない。',
  },
  fails: (count) => `それでも監査は不合格: 誤った記録または引用が ${count} 件。`,
};

const zh: Words = {
  declaredFor: (roles) => `声明给 ${roles},但未被引用。`,
  checkUse: (role) => `请确认 ${role} 是否使用过:若使用过,请在 Handoff Record 中引用;否则放入下一次迭代。`,
  expected: (agent, to) => `${agent} 应向 ${to} 交付产出,但没有声明任何内容。`,
  doesNotExist: (cited) => `引用了不存在的 ${cited}。`,
  notInCode: (claim) => `声称 ${claim},但代码中没有依据。`,
  ignored: (density, unused) => `引用密度 ${density}%,未使用的产出 ${unused} 项`,
  noInputs: 'Inputs 为 `- none`(不是 planner/thinker)',
  none: '无。',
  skipped: '已跳过',
  noRecord: '没有 Handoff Record',
  recommend: {
    records: (files) => `请补写或修正这些文件的 Handoff Record:${files}。`,
    fabrications: (refs) => `请修正指向不存在内容的引用:${refs}。`,
    outputs: (pairs) => `请声明应当交付的产出:${pairs}。`,
    gaps: (refs) => `请使用或撤回无人使用的产出:${refs}。`,
    orphans: (agents) => `请让单独工作的角色与他人衔接:${agents}。`,
  },
  verdict: {
    Healthy: '真正的团队协作,没有重要的缺口。',
    Normal: '一般的协作。请在下一次迭代处理以上缺口。',
    Suspicious: '协作存在漏洞,建议复查流程设计。',
    Theater: '⚠️ 这不是团队,只是依次运行的脚本。请重新检查各个代理的提示词。',
    'n/a': '没有产出交付给参与的代理,因此无法衡量。',
  },
  fails: (count) => `审计仍未通过:有 ${count} 处记录或引用有误。`,
};

const de: Words = {
  declaredFor: (roles) => `für ${roles} bestimmt, nicht zitiert.`,
  checkUse: (role) =>
    `Prüfen, ob ${role} es verwendet hat: wenn ja, im Handoff Record zitieren; wenn nein, für die nächste Iteration vormerken.`,
  expected: (agent, to) => `${agent} gibt etwas an ${to} weiter und hat nichts angegeben.`,
  doesNotExist: (cited) => `zitiert ${cited}, das es nicht gibt.`,
  notInCode: (claim) => `behauptet ${claim}, der Code zeigt es nicht.`,
  ignored: (density, unused) => `Zitierdichte ${density}%, ${unused} Ergebnisse ungenutzt`,
  noInputs: 'der Abschnitt Inputs ist `- none` (nicht planner/thinker)',
  none: 'Keine.',
  skipped: 'Ausgelassen',
  noRecord: 'kein Handoff Record',
  recommend: {
    records: (files) => `Die Handoff Records von ${files} schreiben oder berichtigen.`,
    fabrications: (refs) => `Zitate berichtigen, die ins Leere führen: ${refs}.`,
    outputs: (pairs) => `Angeben, was weiterzugeben ist: ${pairs}.`,
    gaps: (refs) => `Nutzen oder zurückziehen, was niemand aufgenommen hat: ${refs}.`,
    orphans: (agents) => `Agenten einbinden, die allein gearbeitet haben: ${agents}.`,
  },
  verdict: {
    Healthy: 'Echte Zusammenarbeit. Keine Lücke von Bedeutung.',
    Normal: 'Übliche Zusammenarbeit. Die Lücken oben in der nächsten Iteration ansehen.',
    Suspicious: 'Die Zusammenarbeit hat Löcher. Der Aufbau der Pipeline sollte geprüft werden.',
    Theater:
      '⚠️ Das ist kein Team, das sind Skripte nacheinander. Die Prompts der Agenten vor dem nächsten Lauf überarbeiten.',
    'n/a': 'Nichts war an einen beteiligten Agenten gerichtet, also gibt es nichts zu messen.',
  },
  fails: (count) => `Das Audit scheitert trotzdem: ${count} Records oder Zitate sind falsch.`,
};

export const wordsIn: Readonly<Record<AuditLanguage, Words>> = { en, ko, ja, zh, de };
