/** Names that many people have, as text keys: two people with such a name are less likely the same. */
const SURNAMES = new Set(
  `smith jones williams taylor brown davies evans wilson thomas johnson roberts walker wright robinson thompson white
  hughes edwards green hall wood harris lewis martin jackson clarke clark turner hill scott cooper morris ward moore king
  watson baker harrison morgan patel young allen mitchell james anderson phillips lee bell parker davis khan ahmed ali
  hussain begum singh kaur murphy kelly osullivan walsh obrien byrne ryan oconnor oneill oreilly doyle mccarthy gallagher
  doherty kowalski kowalska nowak wisniewski wisniewska wojcik kowalczyk kaminski kaminska lewandowski lewandowska zielinski
  chen wang li zhang liu yang huang zhao wu zhou wong chan cheung lam nguyen tran mohamed mohammed muhammad hassan hussein
  ibrahim abdi omar osman yusuf warsame jama farah shah malik akhtar bibi rahman islam uddin miah choudhury rees powell owen
  griffiths price lloyd jenkins garcia rodriguez martinez fernandez lopez gonzalez silva santos ferreira popescu ivanov
  王 李 张 刘 陈 杨 黄 赵 吴 周`.split(/\s+/),
)
const FIRST_NAMES = new Set(
  `john david michael peter robert paul james william andrew stephen mark richard thomas george christopher anthony kevin
  brian alan ian mary margaret susan elizabeth sarah patricia karen linda christine helen julie ann anne anna jean joan
  dorothy barbara jane emma claire maria mohammed mohamed muhammad ahmed ali hassan hussein fatima aisha amina abdi khadija
  omar yusuf ibrahim محمد احمد علي حسن حسين محمود فاطمه jan piotr krzysztof andrzej katarzyna malgorzata agnieszka ewa wei li min ying jing xin patrick sean
  daniel joseph gareth rhys dafydd sian`.split(/\s+/),
)

export function isCommonSurname(name: string): boolean {
  return SURNAMES.has(name)
}

export function isCommonFirstName(name: string): boolean {
  return FIRST_NAMES.has(name)
}
