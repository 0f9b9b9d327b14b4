import { textKey } from '../../../contract/compareKey.ts'
import { capitalised } from '../../../contract/quoted.ts'

/**
 * First names with their short and other forms, as text keys, the full one first. A name may be in several lines: Ally
 * is Alison or Alexander.
 */
const LINES = `
abigail abbie abby gail
abdullah abdullahi abdulla cabdullaahi abdallah abdullaahi
abdulrahman abdirahman abdurrahman abdelrahman cabdiraxmaan abdirahmaan
abdulkadir abdikadir abdulqadir cabdiqaadir
abdirashid abdulrashid cabdirashiid
abdi cabdi
adam adan aadan adem
agnieszka aga agnes
ahmed ahmad axmed achmed ahmet
aisha ayesha aysha aicha aishah caasha asha caisha
alan allan allen al
albert bert bertie al
aleksandra ola alexandra
alexander alex alec alek sandy xander ally alasdair alistair alastair alister aleksander alejandro
alexandra alex sandra lexi sasha ally
alfred alf alfie fred
ali cali aly
alison ali allie ally alyson allison
amanda mandy
amina amino aamina aminah amena
andrew andy drew andrzej andrei andre
angela angie ange
ann anne annie anna ania hannah nan nancy anita
anna ania anka hania hanna hannah
antonia toni
anthony tony antony antonio antoni
aoife eefa ifa
arthur art artie
asha caasha aisha
barbara barb babs barbie basia bobbie
benjamin ben benny benji
bartosz bartek bartlomiej
beatrice bea trixie beatrix
bernadette bernie
bernard bernie
brendan breandan
bridget bridie biddy brigid breda brid
brian bryan bryn briain
bronwen bron bronwyn
caitlin kathleen catrin
caoimhe keeva kiva
carol carole carolyn caroline caz
caroline caz carrie caro lyn
catherine kate katie kathy cathy kath cath kitty kay kit catharine katharine katherine kathryn kathrine cathryn catrin katrina katarzyna kasia katya
cecilia celia cissie sheila
charles charlie chas chuck carl karol
charlotte charlie lottie lotte
christina chris chrissie tina kristina christine krystyna
christine chris chrissie tina christina kirsty
christopher chris kit topher krzysztof
clifford cliff
constance connie
cynthia cindy
dafydd david dai dewi
daniel dan danny daniyal danyal
danielle dani danni
david dave davie davy dai dafydd dewi dawid daud daoud dawud
deborah deb debbie debs debra
deirdre dee deedee deidre
dennis den denny denis
derek del derrick
desmond des
diana di diane
dominic dom nick dominik
donald don donnie
dorothy dot dottie dolly dora dorothea
douglas doug dougie
ebrahim ibrahim abraham ibraahim
edith edie
edmund ed eddie ted ned
edward ed eddie ted teddy ned ward eduard
edwin ed eddie
eleanor ellie nell nellie nora elinor eleanora lena elen
elizabeth liz lizzie lizzy beth betty bess bessie eliza elsie libby lisa lisbeth betsy elspeth elisabeth elzbieta ela bethan
ellen nell nellie helen elen
emily em emmie millie emilia
emma em emmie
ernest ernie ern
eugene gene eoghan owen
evelyn eve evie
ewa eva eve
farah faarax
fatima fatma fatema fatimah fadumo faduma faadumo fatuma
fiona fi fionnuala
florence flo florrie flossie
frances fran francie frankie fanny
francis frank frankie fran
frank francis franklin
franciszek franek
frederick fred freddie freddy frederic
gareth gaz gary
gabriel gabe
geoffrey geoff jeff jeffrey jeffery
george georgie jerzy jorge
georgina georgie gina
gerald gerry jerry ged
gerard gerry jerry ged
gillian gill jill jilly gilly
gladys gwladys
grace gracie
graham graeme grahame
grazyna grazynka
gregory greg grzegorz
gwendoline gwen gwenda gwendolen gwenllian gwyneth wendy
halima xaliimo halimah halimo
harold harry hal
harriet hattie harry
hassan hasan xasan hasaan
helen nell nellie ellen helena elena lena
henry harry hal hank henryk harri
herbert bert herb bertie
hilary hilly hillary
hodan hodhan
hugh hughie huw aodh shuggie hughey
hussein hussain husain husayn xuseen hossein hussien
ian iain
ibrahim ebrahim ibraahim abraham braima
ieuan ifan evan iwan ioan john
irene rene renie eirene
isaac ike zak isaaq isxaaq ishaq
isabel izzy bella isobel isabelle isabella belle ishbel
ismail ismael esmail ismaaciil
jacob jake jakub kuba
jacqueline jackie jacqui jacky jacquie
jadwiga jadzia
james jim jimmy jamie jem jimmie seamus hamish iago jaime
jan janek jasiek
jane janie jayne jenny janet sian sinead
janet jan jane janette
janice jan
jason jay
jean jeanie jeannie
jennifer jen jenny jennie
jeremy jerry jez jem
jessica jess jessie
jamal jamaal
joan joanie joanna siobhan
joanna jo asia joanne joasia
joanne jo joanna joann
john jack johnny jon johnnie sean shaun shawn ian ieuan evan sion johnathan
jonathan jon jonny jonathon johnathan nathan
joseph joe joey jozef yusuf jose seosamh
josephine jo josie
joshua josh
joyce joy
judith judy jude judi
julia julie
julian jules
julie jules julia
karen kaz
kathleen kath kathy kay kitty kate katie kathy caitlin
kenneth ken kenny
kevin kev caoimhin
khadija khadijah khadiija qadiijo khadijo hadija khadeeja
kimberley kim kimberly
krystyna krysia kristina christina
laura laurie lori
lawrence larry laurie loz laurence lorcan
leonard len lenny leo
leslie les lesley
lilian lily lil lillian
lillian lily lil
llewellyn llywelyn lyn llew
linda lin lynda lyn lindy
lucy lucie lou lucia
louis lou lewis louie
louise lou
madeleine maddy maddie madeline
magdalena magda
mahmoud mahmud mahmood maxamuud mohamud
malgorzata gosia malgosia margaret
malcolm mal
margaret maggie meg peggy madge marge margie margo rita peg mags greta daisy megan mair mairead marged margarita
maria marysia mary marie maria
marian marion
mark marc marek
marjorie marge margie
martha mattie patty
martin marty marcin
mary molly polly mamie may mair maire marie maria moira maura maureen
maryam mariam miriam maryan maryama
matilda tilly tilda
matthew matt matty mateusz mat
maureen mo
maurice mo morris
maxwell max
maximilian max
megan meg meghan
mercedes mercy
michael mick mike micky mickey mikey michal mihangel micheal mikael
michelle shell chelle
mildred millie
miriam mim maryam
mohammed mohamed muhammad mohammad mohamad mohamud mohd muhammed mohummed muhamed maxamed mahamed mehmet mehmed mohamet
mustafa mustapha mustafe
nancy ann nan
natalie nat natalia
nathaniel nat nate nathan
neil niall neal neill nial
niamh neve nieve
nicholas nick nicky nico mikolaj nicolas
nicola nicky nikki nic
norman norm
olivia liv livvy
oliver ollie olly
osman uthman othman usman cismaan cusmaan osmaan
owen owain eoghan eoin
omar umar cumar omer
pamela pam
patricia pat patsy patty tricia trish trisha paddy
patrick pat paddy padraig padraic patryk padraigh rick packie
paul pawel pol pablo
paula pauline
pauline paula
penelope penny
peter pete piotr pedro peadar
philip phil pip phillip filip philippe
philippa pippa pip phil
phyllis phyl
piotr piotrek peter
rachel rach rae rachael
ralph rafe
raymond ray
rebecca becky becca bex rebekah becs
reginald reg reggie
rhys reece rees reese
richard rick dick rich richie ricky dickie ryszard
robert rob bob bobby robbie robin rab bert roberto robb
roderick rod roddy rory
rodney rod
roger rog roger
ronald ron ronnie ranald
rosemary rose rosie romy
roseanne rose roisin
ruth ruthie
ryszard rysiek richard
sadia saadiya sacdiyo
salma selma
samantha sam sammy
samuel sam sammy
sahra zahra saharo zara sahro
said saeed sayed saiid sayid siciid
sandra sandy sandie alexandra
sarah sally sal sara sadie
seamus james shamus seumas
sean shaun shawn john shane
sharon shaz
sheila sile shelagh sheelagh
siobhan shivaun shevaun joan
shirley shirl
sian jane shan
simon si szymon
sioned janet
sophie soph zofia sophia sofia
stanislaw stan staszek stanley
stanley stan
stephanie steph stevie
stephen steve stevie steven stefan stephan steffan szczepan
stuart stu stewart stew
sulayman suleiman sulaiman suleyman saleebaan solomon
susan sue susie suzie susannah suzanne suzy zuzanna
sylvia syl
tadeusz tadek
terence terry tel terrence
theodore ted theo teddy
theresa terry tess tessa teresa therese tracy
thomas tom tommy tomasz tomas tomos twm tomek
timothy tim timmy
valerie val
vanessa nessa
veronica ronnie vera
victor vic viktor
victoria vicky vicki tori vic vikki
vincent vin vince vinny
violet vi
virginia ginny
vivian viv vivienne
walter wally walt wat
wendy gwendoline
wilfred wilf
william will bill billy willie liam wills willy gwilym wil uilliam wilhelm
winifred win winnie freda
wojciech wojtek
yasmin jasmine yasmeen yasmine
yusuf yousef youssef yousuf yusef yuusuf joseph yousif
zachary zac zak zach
zainab zaynab zeinab seynab zeynab
zofia zosia sophie sofia
`

const LINES_OF = new Map<string, string[][]>()
for (const line of LINES.trim().split('\n')) {
  const names = line.split(' ')
  for (const name of new Set(names)) LINES_OF.set(name, [...(LINES_OF.get(name) ?? []), names])
}

/** True for a first name of which forms are known: another such name is no slip of it. */
export function isKnownName(name: string): boolean {
  return LINES_OF.has(name)
}

/** A first name with all its forms, as text keys. */
export function formsOf(name: string): string[] {
  return [...new Set([name, ...(LINES_OF.get(name) ?? []).flat()])]
}

/** Why two first names are forms of one: 'Liz is short for Elizabeth'; undefined if they are not. */
export function sharedForm(a: string, b: string): string | undefined {
  const [x, y] = [textKey(a), textKey(b)]
  const shared = (LINES_OF.get(x) ?? []).filter((line) => line.includes(y))
  if (x === y || shared.length === 0) return undefined
  if (shared.some(([full]) => full === y)) return `${capitalised(x)} is a form of ${capitalised(y)}`
  if (shared.some(([full]) => full === x)) return `${capitalised(y)} is a form of ${capitalised(x)}`
  return `${capitalised(x)} and ${capitalised(y)} are forms of ${capitalised(shared[0][0])}`
}
