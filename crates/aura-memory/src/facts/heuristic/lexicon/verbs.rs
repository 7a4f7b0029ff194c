//! Verbs with their forms: dictionary form, third person, past, participle, gerund.

use super::Class;

/// Classes with their verbs, separated by commas.
pub(super) const VERBS: &[(Class, &str)] = &[
    (Class::BE, "be is was been being, be am were, be are were"),
    (Class::HAVE, "have has had had having"),
    (Class::DO, "do does did done doing"),
    (
        Class::RESIDE,
        "live lives lived lived living, reside resides resided resided residing, dwell dwells dwelt dwelt dwelling",
    ),
    (
        Class::MOVE,
        "move moves moved moved moving, relocate relocates relocated relocated relocating, \
         emigrate emigrates emigrated emigrated emigrating, immigrate immigrates immigrated immigrated immigrating, \
         resettle resettles resettled resettled resettling",
    ),
    (Class::MOVE, "settle settles settled settled settling"),
    (
        Class::CHANGE,
        "change changes changed changed changing, switch switches switched switched switching, \
         move moves moved moved moving, shift shifts shifted shifted shifting, raise raises raised raised raising, \
         increase increases increased increased increasing, bump bumps bumped bumped bumping, cut cuts cut cut cutting, raise raises upped upped upping, \
         lower lowers lowered lowered lowering, reduce reduces reduced reduced reducing, drop drops dropped dropped dropping, \
         push pushes pushed pushed pushing, extend extends extended extended extending, \
         postpone postpones postponed postponed postponing, delay delays delayed delayed delaying, \
         reschedule reschedules rescheduled rescheduled rescheduling, slip slips slipped slipped slipping, \
         update updates updated updated updating, set sets set set setting, rise rises rose risen rising, \
         shorten shortens shortened shortened shortening, trim trims trimmed trimmed trimming, \
         expand expands expanded expanded expanding, upgrade upgrades upgraded upgraded upgrading, \
         downgrade downgrades downgraded downgraded downgrading, migrate migrates migrated migrated migrating, \
         convert converts converted converted converting, transition transitions transitioned transitioned transitioning, \
         adjust adjusts adjusted adjusted adjusting, revise revises revised revised revising, \
         double doubles doubled doubled doubling, grow grows grew grown growing, shrink shrinks shrank shrunk shrinking, \
         fall falls fell fallen falling, climb climbs climbed climbed climbing, jump jumps jumped jumped jumping, \
         bring brings brought brought bringing, transfer transfers transferred transferred transferring, \
         correct corrects corrected corrected correcting, slide slides slid slid sliding, amend amends amended amended amending, \
         scale scales scaled scaled scaling, rebrand rebrands rebranded rebranded rebranding, \
         rename renames renamed renamed renaming, swap swaps swapped swapped swapping, trade trades traded traded trading, \
         replace replaces replaced replaced replacing, substitute substitutes substituted substituted substituting, \
         exchange exchanges exchanged exchanged exchanging, go goes went gone going",
    ),
    (
        Class::LEAD,
        "lead leads led led leading, own owns owned owned owning, run runs ran run running, \
         manage manages managed managed managing, head heads headed headed heading, \
         handle handles handled handled handling, oversee oversees oversaw overseen overseeing, \
         coordinate coordinates coordinated coordinated coordinating, supervise supervises supervised supervised supervising, \
         direct directs directed directed directing, chair chairs chaired chaired chairing, \
         organise organises organised organised organising, organize organizes organized organized organizing, \
         maintain maintains maintained maintained maintaining, do does did done doing",
    ),
    (
        Class::ACQUIRE,
        "get gets got gotten getting, buy buys bought bought buying, adopt adopts adopted adopted adopting, \
         purchase purchases purchased purchased purchasing, acquire acquires acquired acquired acquiring, \
         inherit inherits inherited inherited inheriting",
    ),
    (
        Class::DISPOSE,
        "sell sells sold sold selling, lose loses lost lost losing, donate donates donated donated donating, \
         scrap scraps scrapped scrapped scrapping, return returns returned returned returning, \
         total totals totaled totaled totaling, rehome rehomes rehomed rehomed rehoming, die dies died died dying",
    ),
    (
        Class::QUIT,
        "quit quits quit quit quitting, stop stops stopped stopped stopping, leave leaves left left leaving, \
         resign resigns resigned resigned resigning, retire retires retired retired retiring, \
         give gives gave given giving, abandon abandons abandoned abandoned abandoning, \
         drop drops dropped dropped dropping, cancel cancels cancelled cancelled cancelling, \
         end ends ended ended ending, finish finishes finished finished finishing, \
         sell sells sold sold selling, lose loses lost lost losing, ditch ditches ditched ditched ditching, dump dumps dumped dumped dumping, \
         unsubscribe unsubscribes unsubscribed unsubscribed unsubscribing, withdraw withdraws withdrew withdrawn withdrawing, \
         uninstall uninstalls uninstalled uninstalled uninstalling, unfollow unfollows unfollowed unfollowed unfollowing",
    ),
    (
        Class::LIKE,
        "like likes liked liked liking, love loves loved loved loving, enjoy enjoys enjoyed enjoyed enjoying, \
         prefer prefers preferred preferred preferring, adore adores adored adored adoring",
    ),
    (
        Class::DISLIKE,
        "hate hates hated hated hating, dislike dislikes disliked disliked disliking, detest detests detested detested detesting",
    ),
    (
        Class::CHOOSE,
        "choose chooses chose chosen choosing, pick picks picked picked picking, select selects selected selected selecting, \
         decide decides decided decided deciding, use uses used used using, go goes went gone going, \
         opt opts opted opted opting, settle settles settled settled settling, book books booked booked booking, \
         take takes took taken taking, make makes made made making, do does did done doing, \
         order orders ordered ordered ordering, reserve reserves reserved reserved reserving, \
         adopt adopts adopted adopted adopting, hire hires hired hired hiring, try tries tried tried trying, \
         paint paints painted painted painting, build builds built built building, \
         install installs installed installed installing, stick sticks stuck stuck sticking, serve serves served served serving",
    ),
    (
        Class::REMOVE,
        "remove removes removed removed removing, drop drops dropped dropped dropping, \
         delete deletes deleted deleted deleting, cancel cancels cancelled cancelled cancelling, \
         scratch scratches scratched scratched scratching, skip skips skipped skipped skipping, \
         cut cuts cut cut cutting, exclude excludes excluded excluded excluding, omit omits omitted omitted omitting, \
         ditch ditches ditched ditched ditching, scrap scraps scrapped scrapped scrapping, \
         forget forgets forgot forgotten forgetting, strike strikes struck struck striking, axe axes axed axed axing, \
         nix nixes nixed nixed nixing, cross crosses crossed crossed crossing, take takes took taken taking, \
         leave leaves left left leaving, uninvite uninvites uninvited uninvited uninviting, \
         dump dumps dumped dumped dumping",
    ),
    (
        Class::ADD,
        "add adds added added adding, include includes included included including",
    ),
    (
        Class::NEED,
        "need needs needed needed needing, require requires required required requiring, \
         order orders ordered ordered ordering, expect expects expected expected expecting, \
         invite invites invited invited inviting, plan plans planned planned planning, \
         visit visits visited visited visiting, spend spends spent spent spending, bring brings brought brought bringing, \
         take takes took taken taking, book books booked booked booking, reserve reserves reserved reserved reserving, \
         serve serves served served serving, pack packs packed packed packing, buy buys bought bought buying, \
         want wants wanted wanted wanting, see sees saw seen seeing, fly flies flew flown flying, \
         drive drives drove driven driving, travel travels travelled travelled travelling, stay stays stayed stayed staying",
    ),
    (
        Class::COST,
        "cost costs cost cost costing, charge charges charged charged charging, pay pays paid paid paying, weigh weighs weighed weighed weighing",
    ),
    (
        Class::HABIT,
        "drink drinks drank drunk drinking, eat eats ate eaten eating, smoke smokes smoked smoked smoking, \
         play plays played played playing, speak speaks spoke spoken speaking, run runs ran run running, \
         study studies studied studied studying, learn learns learned learned learning, \
         practise practises practised practised practising, practice practices practiced practiced practicing, \
         teach teaches taught taught teaching, drive drives drove driven driving, use uses used used using, \
         wear wears wore worn wearing, swim swims swam swum swimming, cycle cycles cycled cycled cycling, \
         commute commutes commuted commuted commuting, volunteer volunteers volunteered volunteered volunteering, \
         coach coaches coached coached coaching, sing sings sang sung singing, dance dances danced danced dancing, \
         paint paints painted painted painting, cook cooks cooked cooked cooking, bake bakes baked baked baking, \
         garden gardens gardened gardened gardening, meditate meditates meditated meditated meditating, \
         rent rents rented rented renting, subscribe subscribes subscribed subscribed subscribing, \
         bank banks banked banked banking, train trains trained trained training, collect collects collected collected collecting, \
         jog jogs jogged jogged jogging, vape vapes vaped vaped vaping, ride rides rode ridden riding, \
         knit knits knitted knitted knitting, write writes wrote written writing, draw draws drew drawn drawing, \
         work works worked worked working",
    ),
    (
        Class::VERB,
        "work works worked worked working, join joins joined joined joining, start starts started started starting, \
         begin begins began begun beginning, become becomes became become becoming, \
         promote promotes promoted promoted promoting, hire hires hired hired hiring, \
         marry marries married married marrying, divorce divorces divorced divorced divorcing, \
         break breaks broke broken breaking, turn turns turned turned turning, call calls called called calling, \
         name names named named naming, base bases based based basing, bear bears bore born bearing, \
         allow allows allowed allowed allowing, make makes made made making, keep keeps kept kept keeping, \
         come comes came come coming, step steps stepped stepped stepping, hand hands handed handed handing, \
         pass passes passed passed passing, fall falls fell fallen falling, work works worked worked working, \
         leave leaves left left leaving, lay lays laid laid laying, fire fires fired fired firing, \
         miss misses missed missed missing, \
         depart departs departed departed departing, arrive arrives arrived arrived arriving, \
         happen happens happened happened happening, open opens opened opened opening, close closes closed closed closing, \
         say says said said saying, mean means meant meant meaning, let lets let let letting, \
         put puts put put putting, take takes took taken taking, help helps helped helped helping, \
         look looks looked looked looking, feel feels felt felt feeling, seem seems seemed seemed seeming, \
         meet meets met met meeting, share shares shared shared sharing, attend attends attended attended attending, \
         grow grows grew grown growing, send sends sent sent sending, save saves saved saved saving, \
         agree agrees agreed agreed agreeing, create creates created created creating, \
         complete completes completed completed completing, implement implements implemented implemented implementing, \
         fix fixes fixed fixed fixing, watch watches watched watched watching, read reads read read reading, \
         receive receives received received receiving, win wins won won winning, raise raises raised raised raising, \
         follow follows followed followed following, set sets set set setting, show shows showed shown showing, \
         allocate allocates allocated allocated allocating, convert converts converted converted converting, \
         consist consists consisted consisted consisting, contain contains contained contained containing, \
         replace replaces replaced replaced replacing, schedule schedules scheduled scheduled scheduling, \
         set-aside, engage engages engaged engaged engaging, separate separates separated separated separating, \
         quote quotes quoted quoted quoting, steal steals stole stolen stealing, kick kicks kicked kicked kicking",
    ),
    // Verbs that no frame knows, so that clauses are told apart.
    (
        Class::VERB,
        "support supports supported supported supporting, accept accepts accepted accepted accepting, \
         achieve achieves achieved achieved achieving, admire admires admired admired admiring, \
         afford affords afforded afforded affording, appear appears appeared appeared appearing, \
         apply applies applied applied applying, \
         appreciate appreciates appreciated appreciated appreciating, \
         approach approaches approached approached approaching, \
         approve approves approved approved approving, arrange arranges arranged arranged arranging, \
         assign assigns assigned assigned assigning, avoid avoids avoided avoided avoiding, \
         bother bothers bothered bothered bothering, breed breeds breeded breeded breeding, \
         celebrate celebrates celebrated celebrated celebrating, chat chats chatted chatted chatting, \
         clean cleans cleaned cleaned cleaning, \
         collaborate collaborates collaborated collaborated collaborating, \
         compete competes competed competed competing, complain complains complained complained complaining, \
         confuse confuses confused confused confusing, connect connects connected connected connecting, \
         contribute contributes contributed contributed contributing, cover covers covered covered covering, \
         crash crashes crashed crashed crashing, damage damages damaged damaged damaging, \
         deal deals dealed dealed dealing, decline declines declined declined declining, \
         deliver delivers delivered delivered delivering, depend depends depended depended depending, \
         deserve deserves deserved deserved deserving, develop develops developed developed developing, \
         discover discovers discovered discovered discovering, \
         discuss discusses discussed discussed discussing, earn earns earned earned earning, \
         employ employs employed employed employing, encourage encourages encouraged encouraged encouraging, \
         enroll enrolls enrolled enrolled enrolling, enter enters entered entered entering, \
         explore explores explored explored exploring, explode explodes exploded exploded exploding, \
         express expresses expressed expressed expressing, fail fails failed failed failing, \
         fill fills filled filled filling, fit fits fitted fitted fitting, \
         force forces forced forced forcing, gain gains gained gained gaining, \
         graduate graduates graduated graduated graduating, guide guides guided guided guiding, \
         hurry hurries hurried hurried hurrying, identify identifies identified identified identifying, \
         improve improves improved improved improving, inform informs informed informed informing, \
         inspire inspires inspired inspired inspiring, interest interests interested interested interesting, \
         introduce introduces introduced introduced introducing, \
         involve involves involved involved involving, kill kills killed killed killing, \
         land lands landed landed landing, last lasts lasted lasted lasting, \
         laugh laughs laughed laughed laughing, launch launches launched launched launching, \
         lift lifts lifted lifted lifting, listen listens listened listened listening, \
         march marches marched marched marching, match matches matched matched matching, \
         matter matters mattered mattered mattering, measure measures measured measured measuring, \
         notice notices noticed noticed noticing, obtain obtains obtained obtained obtaining, \
         occur occurs occurred occurred occurring, offer offers offered offered offering, \
         participate participates participated participated participating, \
         perform performs performed performed performing, persuade persuades persuaded persuaded persuading, \
         prepare prepares prepared prepared preparing, present presents presented presented presenting, \
         prevent prevents prevented prevented preventing, protect protects protected protected protecting, \
         prove proves proved proved proving, publish publishes published published publishing, \
         reach reaches reached reached reaching, recover recovers recovered recovered recovering, \
         register registers registered registered registering, reject rejects rejected rejected rejecting, \
         relax relaxes relaxed relaxed relaxing, release releases released released releasing, \
         rely relies relied relied relying, rescue rescues rescued rescued rescuing, \
         resemble resembles resembled resembled resembling, respect respects respected respected respecting, \
         rest rests rested rested resting, roll rolls rolled rolled rolling, \
         sail sails sailed sailed sailing, search searches searched searched searching, \
         seat seats seated seated seating, sign signs signed signed signing, \
         smell smells smelled smelled smelling, solve solves solved solved solving, \
         sort sorts sorted sorted sorting, sound sounds sounded sounded sounding, \
         struggle struggles struggled struggled struggling, succeed succeeds succeeded succeeded succeeding, \
         suffer suffers suffered suffered suffering, suit suits suited suited suiting, \
         surprise surprises surprised surprised surprising, taste tastes tasted tasted tasting, \
         thank thanks thanked thanked thanking, touch touches touched touched touching, \
         transform transforms transformed transformed transforming, treat treats treated treated treating, \
         trust trusts trusted trusted trusting, unpack unpacks unpacked unpacked unpacking, \
         upload uploads uploaded uploaded uploading, vary varies varied varied varying, \
         wait waits waited waited waiting, walk walks walked walked walking, \
         warn warns warned warned warning, wash washes washed washed washing, \
         waste wastes wasted wasted wasting, wander wanders wandered wandered wandering, \
         invest invests invested invested investing, fund funds funded funded funding, \
         host hosts hosted hosted hosting, email emails emailed emailed emailing, \
         text texts texted texted texting, phone phones phoned phoned phoning, \
         stabilize stabilizes stabilized stabilized stabilizing, fixate fixates fixated fixated fixating, \
         mess messes messed messed messing, mix mixes mixed mixed mixing, \
         obsess obsesses obsessed obsessed obsessing, occupy occupies occupied occupied occupying, \
         park parks parked parked parking, pause pauses paused paused pausing, \
         plant plants planted planted planting, point points pointed pointed pointing, \
         pop pops popped popped popping, pour pours poured poured pouring, pray prays prayed prayed praying, \
         predict predicts predicted predicted predicting, \
         program programs programmed programmed programming, pull pulls pulled pulled pulling, \
         punish punishes punished punished punishing, question questions questioned questioned questioning, \
         race races raced raced racing, rain rains rained rained raining, \
         reflect reflects reflected reflected reflecting, regret regrets regreted regreted regreting, \
         relate relates related related relating, renovate renovates renovated renovated renovating, \
         repair repairs repaired repaired repairing, request requests requested requested requesting, \
         restore restores restored restored restoring, scare scares scared scared scaring, \
         shop shops shopped shopped shopping, snow snows snowed snowed snowing, \
         sponsor sponsors sponsored sponsored sponsoring, stretch stretches stretched stretched stretching, \
         submit submits submitted submitted submitting, sweep sweeps sweeped sweeped sweeping, \
         tackle tackles tackled tackled tackling, talk talks talked talked talking, \
         target targets targeted targeted targeting, thrive thrives thrived thrived thriving, \
         tour tours toured toured touring, track tracks tracked tracked tracking, \
         type types typed typed typing, wrap wraps wrapped wrapped wrapping, \
         yell yells yelled yelled yelling, split splits split split splitting, \
         catch catches caught caught catching, hold holds held held holding, sit sits sat sat sitting, \
         stand stands stood stood standing, lend lends lent lent lending, feed feeds fed fed feeding, \
         fight fights fought fought fighting, forgive forgives forgave forgiven forgiving, \
         freeze freezes froze frozen freezing, hang hangs hung hung hanging, hide hides hid hidden hiding, \
         hit hits hit hit hitting, hurt hurts hurt hurt hurting, shoot shoots shot shot shooting, \
         shut shuts shut shut shutting, sleep sleeps slept slept sleeping, \
         throw throws threw thrown throwing, wake wakes woke woken waking, bind binds bound bound binding, \
         seek seeks sought sought seeking, understand understands understood understood understanding, \
         undergo undergoes underwent undergone undergoing, swing swings swung swung swinging, \
         spell spells spelled spelled spelling, spell spells spelt spelt spelling, retrain retrains retrained retrained retraining, \
         belong belongs belonged belonged belonging, report reports reported reported reporting, \
         freelance freelances freelanced freelanced freelancing, intern interns interned interned interning, \
         reassign reassigns reassigned reassigned reassigning, disband disbands disbanded disbanded disbanding, \
         fold folds folded folded folding, expire expires expired expired expiring, rebook rebooks rebooked rebooked rebooking, \
         chip chips chipped chipped chipping",
    ),
    (
        Class::REPORT,
        "say says said said saying, tell tells told told telling, think thinks thought thought thinking, \
         ask asks asked asked asking, claim claims claimed claimed claiming, hear hears heard heard hearing, \
         believe believes believed believed believing, guess guesses guessed guessed guessing, \
         reckon reckons reckoned reckoned reckoning, suggest suggests suggested suggested suggesting, \
         mention mentions mentioned mentioned mentioning, read reads read read reading, know knows knew known knowing, \
         assume assumes assumed assumed assuming, figure figures figured figured figuring, \
         recommend recommends recommended recommended recommending, propose proposes proposed proposed proposing, \
         write writes wrote written writing, argue argues argued argued arguing, insist insists insisted insisted insisting, \
         wonder wonders wondered wondered wondering, doubt doubts doubted doubted doubting, \
         worry worries worried worried worrying, realise realises realised realised realising, \
         realize realizes realized realized realizing, remember remembers remembered remembered remembering, \
         forget forgets forgot forgotten forgetting, feel feels felt felt feeling, suppose supposes supposed supposed supposing, \
         announce announces announced announced announcing, promise promises promised promised promising, \
         find finds found found finding, learn learns learned learned learning, note notes noted noted noting, \
         mean means meant meant meaning, confirm confirms confirmed confirmed confirming",
    ),
    (
        Class::WISH,
        "wish wishes wished wished wishing, hope hopes hoped hoped hoping, want wants wanted wanted wanting, \
         imagine imagines imagined imagined imagining, dream dreams dreamed dreamed dreaming, \
         pretend pretends pretended pretended pretending, consider considers considered considered considering, \
         plan plans planned planned planning, intend intends intended intended intending, \
         wonder wonders wondered wondered wondering, try tries tried tried trying, \
         hesitate hesitates hesitated hesitated hesitating, fear fears feared feared fearing, \
         contemplate contemplates contemplated contemplated contemplating, aim aims aimed aimed aiming, \
         refuse refuses refused refused refusing, expect expects expected expected expecting, \
         joke jokes joked joked joking",
    ),
    (
        Class::REQUEST,
        "write writes wrote written writing, draft drafts drafted drafted drafting, give gives gave given giving, \
         show shows showed shown showing, tell tells told told telling, help helps helped helped helping, \
         explain explains explained explained explaining, translate translates translated translated translating, \
         summarize summarizes summarized summarized summarizing, summarise summarises summarised summarised summarising, \
         generate generates generated generated generating, create creates created created creating, \
         rewrite rewrites rewrote rewritten rewriting, proofread proofreads proofread proofread proofreading, \
         paraphrase paraphrases paraphrased paraphrased paraphrasing, compose composes composed composed composing, \
         describe describes described described describing, compare compares compared compared comparing, \
         find finds found found finding, list lists listed listed listing, suggest suggests suggested suggested suggesting, \
         imagine imagines imagined imagined imagining, pretend pretends pretended pretended pretending, \
         act acts acted acted acting, edit edits edited edited editing, check checks checked checked checking, \
         analyze analyzes analyzed analyzed analyzing, calculate calculates calculated calculated calculating, \
         recommend recommends recommended recommended recommending, repeat repeats repeated repeated repeating, \
         provide provides provided provided providing, design designs designed designed designing, \
         review reviews reviewed reviewed reviewing, convert converts converted converted converting",
    ),
];
