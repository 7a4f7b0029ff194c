//! Sending: what passes on, and what stays behind.

use std::collections::BTreeSet;

use aura_assembly::results::{ResultSchemas, Verdict};
use aura_core::{
    AgentId, CallId, DeliveryQuery, Error, ErrorKind, Label, Packet, PacketBody, PacketId,
    PacketSource, PacketWrite, RawJson, Result, ResultContent, Scope, Timestamp, ToolResult, Trust,
};

use crate::distil::distil;
use crate::slots::slots;
use crate::team::Team;

/// How many packets may wait for one agent: more is a loop.
const MOST_WAITING: u32 = 1_000;

/// What an agent has to say to another, or to its whole team.
#[derive(Debug, Clone, Default)]
pub struct Outgoing {
    /// The packet's id, so that a repeated call is recognised; `None` makes one.
    pub packet_id: Option<PacketId>,
    /// Who shall get it; `None` is everybody else in the team.
    pub to: Option<AgentId>,
    /// What it says; distilled unless `verbatim`.
    pub text: String,
    /// Keep the text as it is.
    pub verbatim: bool,
    /// What must survive to the letter, beside what is found in the text.
    pub slots: Vec<String>,
    /// A typed payload, verbatim.
    pub payload: Option<RawJson>,
    /// What the receiver may do and see on its account; `None` passes on all that the sender has. More than the sender has
    /// is never given.
    pub grant: Option<Scope>,
    /// The labels of what the text was made from.
    pub labels: BTreeSet<Label>,
    /// Evidence by handle; what the receiver may not see stays behind.
    pub sources: Vec<PacketSource>,
    /// The lowest trust of what the text was made from.
    pub trust: Trust,
    /// The packet on whose account it is sent.
    pub under: Option<PacketId>,
    /// When it ceases to be delivered.
    pub expires_at: Option<Timestamp>,
}

/// Work for another agent, beside what an [`Outgoing`] says of it; its text is the goal.
#[derive(Debug, Clone, Default)]
pub struct Task {
    /// When the work is done.
    pub acceptance: Vec<String>,
    /// Permissions that the work needs.
    pub needs: BTreeSet<String>,
    /// What is not decided yet.
    pub unresolved: Vec<String>,
    /// The JSON Schema of the payload to return.
    pub contract: Option<RawJson>,
}

/// The answer to a task, beside what an [`Outgoing`] says of it.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// How sure the callee is, 0 to 1.
    pub confidence: Option<f32>,
    /// What that does not cover.
    pub limits: Vec<String>,
    /// Changes of state that the parent is asked to make.
    pub changes: Vec<String>,
}

/// What was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// The packet as stored.
    pub packet: Packet,
    /// Who gets it.
    pub receivers: Vec<AgentId>,
    /// Permissions that the task needs and that could not be given: reported also to whoever gave the sender its own work.
    pub missing: BTreeSet<String>,
    /// How many sources stayed behind because the receiver may not see them.
    pub withheld: usize,
}

impl Team {
    /// Sends a handoff.
    ///
    /// # Errors
    /// `NotFound` naming `agent` or `to`; `Denied` naming `under` for a packet that was not sent to the sender, and naming
    /// `labels` when the sender or the only receiver does not hold them; `Invalid` with the field; `Conflict` naming
    /// `packet_id`; `BudgetExceeded` naming `to` when too many packets wait there; those of the store.
    pub fn send(&self, from: &AgentId, outgoing: Outgoing) -> Result<Sent> {
        let sent = self.pass(from, outgoing, PacketBody::Handoff);
        sent.map_err(|error| error.during("send"))
    }

    /// Sends a task. What of its needs cannot be given is said in the packet and to the sender, and if the sender itself
    /// works on a packet's account, to whoever sent that.
    ///
    /// # Errors
    /// As [`send`](Self::send); `Invalid` naming `to` where no member is named, and `contract` where it is no JSON Schema.
    pub fn send_task(&self, from: &AgentId, outgoing: Outgoing, task: Task) -> Result<Sent> {
        let send = || {
            if outgoing.to.is_none() {
                return Err(Error::invalid_field(
                    "packet",
                    "to",
                    "must name who shall do the work",
                ));
            }
            if let Some(contract) = &task.contract {
                let mut schemas = ResultSchemas::default();
                schemas.allow_valid("contract", contract).map_err(|error| {
                    Error::new(
                        error.kind(),
                        "contract: is no JSON Schema that stands by itself",
                    )
                    .with_field("contract")
                })?;
            }
            let body = PacketBody::Task {
                acceptance: task.acceptance,
                needs: task.needs,
                missing: BTreeSet::new(),
                unresolved: task.unresolved,
                contract: task.contract,
            };
            self.pass(from, outgoing, body)
        };
        send().map_err(|error| error.during("send_task"))
    }

    /// Answers a task; the answer goes to whoever sent it.
    ///
    /// # Errors
    /// As [`send`](Self::send); `Denied` naming `under` when the task was not sent to the agent; `Invalid` naming `payload`
    /// when it breaks the task's contract, with the place in the message.
    pub fn send_return(
        &self,
        from: &AgentId,
        task: &PacketId,
        outgoing: Outgoing,
        reply: Reply,
    ) -> Result<Sent> {
        let send = || {
            let asked = self.received(from, task)?;
            let PacketBody::Task { contract, .. } = &asked.body else {
                return Err(Error::invalid_field("packet", "task", "is no task"));
            };
            if let Some(contract) = contract {
                keeps(contract, outgoing.payload.as_ref())?;
            }
            let outgoing = Outgoing {
                to: Some(asked.from.clone()),
                under: Some(task.clone()),
                ..outgoing
            };
            let body = PacketBody::Return {
                task: task.clone(),
                confidence: reply.confidence,
                limits: reply.limits,
                changes: reply.changes,
            };
            self.pass(from, outgoing, body)
        };
        send().map_err(|error| error.during("send_return"))
    }

    fn pass(&self, from: &AgentId, outgoing: Outgoing, mut body: PacketBody) -> Result<Sent> {
        let have = self.scope(from, outgoing.under.as_ref())?;
        let grant = match &outgoing.grant {
            Some(grant) => grant.within(&have),
            None => have.clone(),
        };
        if !outgoing.labels.is_subset(&have.labels) {
            return Err(denied("the sender does not hold them"));
        }
        let receivers = self.receivers(from, &outgoing, &body)?;
        self.check_waiting(&receivers)?;
        // A source is passed on when every receiver may see it: one packet says the same to all.
        let mut seen = grant.labels.clone();
        let mut given = grant.permissions.clone();
        for receiver in &receivers {
            let member = self.member(receiver)?;
            seen.retain(|label| member.labels.contains(label));
            given.retain(|name| member.permissions.contains(name));
        }
        // An answer goes back to where the labels came from.
        let goes_back = matches!(body, PacketBody::Return { .. });
        let may_see = |source: &PacketSource| goes_back || source.labels.is_subset(&seen);
        let offered = outgoing.sources.len();
        let own = |source: &PacketSource| {
            source.labels.is_subset(&have.labels) && source.handle.tenant == self.tenant
        };
        let mut sources = outgoing.sources;
        sources.retain(|source| own(source) && may_see(source));
        let withheld = offered - sources.len();
        let mut lacking = BTreeSet::new();
        if let PacketBody::Task { needs, missing, .. } = &mut body {
            *missing = needs.difference(&given).cloned().collect();
            lacking.clone_from(missing);
        }
        let (now, text) = (self.clock.now(), outgoing.text.trim());
        let mut kept = outgoing.slots;
        for slot in slots(text) {
            if !kept.contains(&slot) {
                kept.push(slot);
            }
        }
        let packet = Packet {
            packet_id: match outgoing.packet_id {
                Some(packet_id) => packet_id,
                None => PacketId::new(self.ids.next_id(now))?,
            },
            from: from.clone(),
            to: outgoing.to,
            summary: match outgoing.verbatim {
                true => text.to_owned(),
                false => distil(text),
            },
            slots: kept,
            payload: outgoing.payload,
            body,
            scope: match goes_back {
                true => Scope::default(),
                false => grant,
            },
            labels: outgoing.labels,
            under: outgoing.under,
            sources,
            trust: outgoing.trust,
            recorded_at: now,
            expires_at: outgoing.expires_at,
        };
        packet.validate()?;
        let packet = self.store(packet, &receivers)?;
        self.report(&packet, &lacking)?;
        Ok(Sent {
            packet,
            receivers,
            missing: lacking,
            withheld,
        })
    }

    /// Who gets a packet: whom it names, or all others who hold its labels.
    fn receivers(
        &self,
        from: &AgentId,
        outgoing: &Outgoing,
        body: &PacketBody,
    ) -> Result<Vec<AgentId>> {
        let holds = |agent: &AgentId| -> Result<bool> {
            Ok(outgoing.labels.is_subset(&self.member(agent)?.labels))
        };
        if let Some(to) = &outgoing.to {
            let known = holds(to).map_err(|_| {
                Error::new(ErrorKind::NotFound, "to: is no member of the team").with_field("to")
            })?;
            let to_itself = to == from && !matches!(body, PacketBody::Return { .. });
            if to_itself {
                return Err(Error::invalid_field("packet", "to", "is the sender"));
            }
            if !known {
                return Err(denied("the receiver does not hold them"));
            }
            return Ok(vec![to.clone()]);
        }
        let mut out = Vec::new();
        for agent in self.members().filter(|agent| *agent != from) {
            if holds(agent)? {
                out.push(agent.clone());
            }
        }
        if out.is_empty() {
            return Err(Error::invalid_field(
                "packet",
                "to",
                "leaves nobody to send to",
            ));
        }
        Ok(out)
    }

    fn check_waiting(&self, receivers: &[AgentId]) -> Result<()> {
        for receiver in receivers {
            let waiting = self.storage.deliveries(
                &self.tenant,
                &DeliveryQuery {
                    team: self.name().to_owned(),
                    receiver: Some(receiver.clone()),
                    limit: MOST_WAITING,
                    ..DeliveryQuery::default()
                },
            )?;
            if waiting.len() >= MOST_WAITING as usize {
                return Err(Error::new(
                    ErrorKind::BudgetExceeded,
                    "to: as many packets wait there as may",
                )
                .with_field("to"));
            }
        }
        Ok(())
    }

    /// Stores a packet; one that the same id has already sent is given back as it is stored.
    fn store(&self, packet: Packet, receivers: &[AgentId]) -> Result<Packet> {
        let known = self.storage.packet(&self.tenant, &packet.packet_id)?;
        if let Some(known) = known {
            let again = Packet {
                recorded_at: known.recorded_at,
                ..packet.clone()
            };
            if again == known {
                return Ok(known);
            }
        }
        let write = PacketWrite {
            team: self.name().to_owned(),
            session: self.session(&packet.from)?,
            packet: packet.clone(),
            receivers: receivers.to_vec(),
        };
        self.storage.put_packet(&self.tenant, write)?;
        Ok(packet)
    }

    /// Says to whoever gave the sender its work that a part of it lacks permissions.
    fn report(&self, packet: &Packet, missing: &BTreeSet<String>) -> Result<()> {
        let Some(under) = packet.under.as_ref().filter(|_| !missing.is_empty()) else {
            return Ok(());
        };
        let Some(parent) = self.storage.packet(&self.tenant, under)? else {
            return Ok(());
        };
        if parent.from == packet.from {
            return Ok(());
        }
        let names: Vec<&str> = missing.iter().map(String::as_str).collect();
        let to = packet.to.as_ref().map_or("the team", AgentId::as_str);
        let text = format!(
            "A task for {to} lacks permissions that it needs: {}",
            names.join(", ")
        );
        let mut report = Packet::handoff(
            PacketId::new(format!("{}/missing", packet.packet_id))?,
            packet.from.clone(),
            Some(parent.from.clone()),
            text,
            packet.recorded_at,
        );
        report.slots = names.into_iter().map(str::to_owned).collect();
        self.store(report, &[parent.from]).map(|_| ())
    }
}

fn denied(why: &'static str) -> Error {
    Error::new(ErrorKind::Denied, format!("labels: {why}")).with_field("labels")
}

/// Whether a payload keeps a contract.
pub(crate) fn keeps(contract: &RawJson, payload: Option<&RawJson>) -> Result<()> {
    let mut schemas = ResultSchemas::default();
    schemas.allow_valid("contract", contract)?;
    let result = ToolResult {
        call_id: CallId::new("return")?,
        tool: None,
        output_schema: Some("contract".to_owned()),
        trust: Trust::Untrusted,
        is_error: false,
        content: ResultContent::Text(
            payload.map_or_else(String::new, |json| json.as_str().to_owned()),
        ),
    };
    match schemas.verdict(&result) {
        Verdict::Allowed => Ok(()),
        Verdict::Broken(place) if !place.is_empty() => Err(Error::invalid_field(
            "packet",
            "payload",
            format!("breaks the contract of the task at {place}"),
        )),
        _ => Err(Error::invalid_field(
            "packet",
            "payload",
            "breaks the contract of the task",
        )),
    }
}
