//! Nouns and adjectives that decide what a statement is about.

use super::Class;

/// Classes with their words.
pub(super) const WORDS: &[(Class, &str)] = &[
    (
        Class::KIN,
        "mother father mom mum mommy dad daddy sister brother son daughter child kid kids children aunt uncle cousin \
         niece nephew grandmother grandfather grandma grandpa parents parent friend friends neighbour neighbor neighbours \
         neighbors colleague coworker roommate flatmate boss manager landlord teacher tutor client stepmother stepfather \
         twin siblings sibling in-laws mother-in-law father-in-law brother-in-law sister-in-law godmother godfather \
         buddy bestie mate cousins sisters brothers sons daughters",
    ),
    (
        Class::PARTNER,
        "wife husband girlfriend boyfriend partner fiance fiancé fiancée fiancee spouse ex",
    ),
    (
        Class::KIN,
        "wife husband girlfriend boyfriend partner fiance fiancé fiancée fiancee spouse ex",
    ),
    (
        Class::ANIMAL,
        "cat cats dog dogs puppy puppies kitten kittens parrot parrots rabbit rabbits hamster hamsters horse horses \
         bird birds fish goldfish turtle turtles tortoise guinea-pig snake lizard gecko pony budgie canary ferret \
         chicken chickens hen hens goat goats pet pets bunny labrador poodle beagle retriever terrier dachshund cockatoo \
         rat rats mouse mice iguana chinchilla hedgehog axolotl duck ducks sheep cow cows donkey",
    ),
    (
        Class::VEHICLE,
        "car cars bike bikes bicycle motorbike motorcycle scooter van truck boat sailboat yacht suv minivan camper caravan \
         moped e-bike tesla",
    ),
    (
        Class::HOUSE,
        "house flat apartment condo home studio loft cottage farm farmhouse cabin villa bungalow dorm dormitory houseboat \
         townhouse city town village suburb suburbs countryside coast downtown island mountains outskirts capital \
         neighbourhood neighborhood mansion trailer room duplex",
    ),
    (
        Class::JOB,
        "nurse teacher doctor lawyer engineer developer programmer designer manager accountant architect artist author \
         baker barber barista bartender butcher carpenter cashier chef chemist clerk coach consultant cook counselor \
         dentist director driver economist editor electrician farmer firefighter florist freelancer gardener hairdresser \
         historian illustrator intern interpreter investor janitor journalist judge lecturer librarian machinist mechanic \
         midwife musician novelist optician painter paramedic pharmacist photographer physicist physiotherapist pilot \
         plumber policeman police-officer postdoc principal producer professor psychologist psychiatrist realtor \
         receptionist researcher salesperson salesman scientist secretary singer soldier statistician surgeon surveyor \
         tailor technician therapist translator tutor vet veterinarian waiter waitress welder writer analyst administrator \
         assistant banker biologist builder buyer ceo cfo cto founder co-founder courier dancer detective dietitian \
         entrepreneur geologist mathematician marketer model nanny officer operator paralegal podcaster programmer \
         recruiter seamstress supervisor specialist strategist superintendent student trader trainer videographer \
         filmmaker colourist colorist sysadmin devops contractor apprentice trainee postman pastor priest attorney \
         solicitor barrister housewife homemaker bookkeeper beekeeper shepherd carer caregiver lifeguard sommelier \
         undergraduate lead head owner executive associate partner bricklayer roofer joiner attendant agent guard guide coordinator inspector instructor planner \
         representative stylist cleaner stewardess steward dispatcher auditor actuary astronomer botanist chiropractor \
         goldsmith locksmith publicist radiologist sculptor tester trucker undertaker zookeeper babysitter translator",
    ),
    (
        Class::ATTR,
        "count budget deadline owner lead leader contact price cost fee fare rent salary wage address phone number email mail \
         e-mail colour color size name nickname title venue location theme version port language framework database \
         host date target goal weight height age headcount capacity flavour flavor topic model provider vendor supplier \
         dentist doctor boss manager teacher landlord mentor advisor adviser supervisor therapist username birthday \
         nationality major hometown employer team provider bank surname maiden currency timezone destination estimate \
         quote rate limit threshold quota score password passphrase favourite favorite subject genre slogan motto logo \
         font hotel caterer captain coach accountant lawyer attorney gp job role position occupation workplace city \
         carrier plan passcode pin duration length width depth temperature due chair chairman president ceo treasurer ownership responsibility total maximum ceiling cap",
    ),
    (
        Class::VAGUE,
        "future break light difference world change smile joy life peace balance boost mind heart fingers breath deep them him us me myself ourselves themselves others decision decisions love way ways job skills skill skillset progress \
         step steps question questions problem problems issue issues idea ideas meeting meetings thought thoughts feeling feelings \
         time fun trouble doubt doubts doubts look chance plan plans lot lots bit ton tons habit sense point need needs \
         hope hopes worry worries concern concerns experience experiences access reason reasons opinion opinions \
         preference preferences request requests choice option options faith confidence goal goals dream dreams list \
         talk chat conversation conversations discussion discussions day days week night weekend impact effect influence \
         difference something anything nothing everything someone things thing way ways luck interest hard trouble breakfast \
         lunch dinner clue success progress update updates data code function file app project task tasks error \
         errors bug bugs few couple hold respect ability opportunity opportunities good great lovely amazing fantastic \
         blast moment memories memory conflict argument arguments stress anxiety energy motivation crush appreciation \
         understanding knowledge example examples suggestion suggestions recommendation recommendations tip tips support \
         impression intention right permission room space control sample version right guilt guilty",
    ),
    (
        Class::TOOL,
        "linux windows macos ubuntu debian python rust java javascript typescript react vue angular svelte notion \
         evernote obsidian slack teams discord zoom gmail outlook android iphone ios firefox chrome safari vim emacs \
         vscode github gitlab aws azure gcp docker kubernetes postgres postgresql mysql sqlite mongodb redis figma \
         sketch spotify netflix excel sheets trello jira asana todoist wordpress shopify stripe paypal whatsapp signal \
         telegram tensorflow pytorch django flask node nodejs golang kotlin swift ruby rails php laravel graphql rest \
         agile scrum kanban kindle duolingo ynab quickbooks salesforce hubspot photoshop",
    ),
    (
        Class::STATE,
        "single married engaged divorced widowed separated pregnant vegetarian vegan pescatarian diabetic celiac coeliac \
         colorblind colour-blind deaf blind left-handed right-handed retired unemployed self-employed jewish muslim \
         christian catholic buddhist hindu atheist agnostic lactose-intolerant dyslexic autistic asthmatic bilingual \
         kosher halal gay lesbian bisexual transgender straight introverted extroverted sober gluten-intolerant \
         jobless homeless nearsighted short-sighted gluten-free teetotal omnivore flexitarian keto freelance",
    ),
    (
        Class::NATION,
        "norwegian german french spanish italian english british american canadian swedish danish finnish dutch polish \
         portuguese greek turkish russian ukrainian chinese japanese korean indian australian mexican brazilian irish \
         scottish welsh swiss austrian belgian czech hungarian romanian bulgarian croatian serbian egyptian nigerian \
         kenyan vietnamese thai filipino indonesian pakistani iranian iraqi israeli syrian lebanese colombian \
         argentinian chilean peruvian cuban european african asian",
    ),
    (
        Class::LIST,
        "list itinerary menu agenda cart basket lineup line-up guestlist roster schedule program programme playlist \
         speakers attendees guests ingredients courses items stack toppings members participants destinations stops \
         features invitees groceries route trip tour order party plan squad watchlist wishlist curriculum hobbies interests sports languages instruments medications allergies chores priorities subjects",
    ),
    (
        Class::EVENT,
        "deliver delivery meeting appointment launch wedding flight trip party exam test interview conference deadline release concert \
         offsite retreat ceremony race marathon surgery operation demo presentation workshop lesson class dinner lunch \
         breakfast call webinar train delivery moving-day graduation reservation booking game match show hearing \
         checkup check-up visit vacation holiday recital review session event kickoff kick-off standup stand-up \
         sprint milestone move rehearsal premiere festival shoot ferry bus anniversary birthday reunion",
    ),
];

/// Kinds of things that take each other's place.
pub(super) const KINDS: &[&str] = &[
    "tea coffee water juice soda beer wine milk cocoa matcha espresso",
    "red blue green yellow orange purple pink black white grey gray brown teal turquoise navy beige gold silver crimson \
     indigo violet maroon lavender magenta cream burgundy olive mint ivory",
    "oak quartz granite marble slate walnut pine maple bamboo laminate steel glass concrete tile tiles wood brick carpet \
     vinyl leather cotton linen cherry ash birch beech cork limestone porcelain",
    "train car plane bus bike ferry driving flying cycling walking boat taxi tram",
    "monday tuesday wednesday thursday friday saturday sunday",
    "morning afternoon evening night noon",
    "email phone text sms whatsapp slack call",
    "window aisle middle",
    "small medium large xl xxl",
    "vegetarian vegan pescatarian keto omnivore flexitarian",
    "single married engaged divorced widowed separated",
    "january february march april may june july august september october november december",
    "python rust java javascript typescript golang kotlin swift ruby php",
    "postgres postgresql mysql sqlite mongodb redis oracle mariadb",
    "spring summer autumn winter",
];
