package aura

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAContextAndItsManifest(t *testing.T) {
	chat := filled(t, 30)
	policy, err := NewPolicy(PolicyFields{"token_budget": 600, "policy_version": "seven"})
	check(t, err)
	fields, err := policy.Fields()
	check(t, err)
	if fields["token_budget"] != 600.0 || fields["recency_turns"] != 2.0 {
		t.Fatal(fields)
	}
	built, err := chat.BuildContext(ctx, Request{
		Question:      "How heavy is parcel 4?",
		Policy:        policy,
		System:        "Be brief.",
		Tools:         []Tool{{Name: "weather", Description: "Tells the weather.", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Blocks:        []Block{{ID: "note", Kind: "evidence", Text: "A parcel of 28 kilograms is heavy.", Source: "manual", Fields: map[string]any{"subject": "weight"}}},
		Provider:      ProviderOpenAI,
		TurnID:        "next",
		CorrelationID: "corr",
		AgentVersion:  "a2",
		WorkflowStage: "triage",
		Deadline:      time.Minute,
	})
	check(t, err)
	if built.Tokens <= 0 || built.Tokens > 600 || built.Budget != 600 || built.OverBudget != 0 || built.HistoryTokens <= 600 || built.TurnID != "next" ||
		built.Outcome != "complete" || built.ReadOnly || built.Provider != ProviderOpenAI || built.ToolTokens <= 0 {
		t.Fatalf("%+v", built)
	}
	first, last := built.Messages[0], built.Messages[len(built.Messages)-1]
	if first.Section != SectionSystem || first.Content != "Be brief." || !strings.Contains(last.Content, "parcel 4") {
		t.Fatalf("%+v %+v", first, last)
	}
	request, err := built.RequestJSON()
	check(t, err)
	messages, err := built.MessagesJSON()
	check(t, err)
	tools, err := built.ToolsJSON()
	check(t, err)
	if !strings.Contains(request, messages) || !strings.Contains(messages, "28 kilograms") || !strings.Contains(tools, "Tells the weather.") {
		t.Fatal(request, tools)
	}
	violations, err := Verify(ProviderOpenAI, request)
	check(t, err)
	var manifest map[string]any
	check(t, built.Manifest(&manifest))
	if len(violations) != 0 || manifest["correlation_id"] != "corr" || manifest["policy_version"] != "seven" {
		t.Fatal(violations, manifest)
	}
	explained, err := built.Explain("question")
	check(t, err)
	again, err := chat.engine.Explain(ctx, nil, built.RequestID, "question")
	check(t, err)
	if explained.Answer != "candidate" || explained != again {
		t.Fatalf("%+v %+v", explained, again)
	}
	_, err = built.Explain("song")
	fails(t, err, ErrInvalid, "")
	since := time.Now().Add(-time.Minute)
	listed, err := chat.engine.Manifests(ctx, nil, ManifestQuery{SessionID: "s", Since: &since, Limit: 3})
	check(t, err)
	read, err := chat.engine.Manifest(ctx, nil, built.RequestID)
	check(t, err)
	if len(listed) != 1 || !strings.Contains(string(read), `"triage"`) {
		t.Fatal(listed, string(read))
	}
	_, err = chat.RecordTurn(ctx, TurnRequest{Messages: []Message{User("How heavy?")}, Requests: []string{built.RequestID}})
	check(t, err)
	_, err = chat.engine.Manifest(ctx, nil, "no-such-request")
	fails(t, err, ErrNotFound, "")
}

func TestRowsAreTheMessages(t *testing.T) {
	engine := opened(t)
	chat := engine.Session("s")
	turn := toolTurn()
	turn[2].Parts[0].IsError = true
	_, err := chat.Record(ctx, turn...)
	check(t, err)
	built, err := chat.BuildContext(ctx, Request{Question: "And tomorrow? ☔"})
	check(t, err)
	text, err := built.MessagesJSON()
	check(t, err)
	var messages []struct {
		Role, Content, Name string
		ToolCallID          string `json:"tool_call_id"`
		IsError             bool   `json:"is_error"`
	}
	check(t, json.Unmarshal([]byte(text), &messages))
	if len(messages) != len(built.Messages) {
		t.Fatal(text)
	}
	for at, message := range messages {
		row := built.Messages[at]
		if string(row.Role) != message.Role || row.Content != message.Content || row.Name != message.Name || row.ToolCallID != message.ToolCallID || row.IsError != message.IsError {
			t.Fatalf("%+v %+v", row, message)
		}
	}
	call := built.Messages[1]
	if !strings.Contains(call.Extra, `"c1"`) || len(call.Events) != 1 || call.Events[0] != 2 {
		t.Fatalf("%+v", call)
	}
	check(t, engine.Close())
	if again, err := built.MessagesJSON(); err != nil || again != text {
		t.Fatal("a context outlives its engine")
	}
}

func TestANewSessionIsJustTheQuestion(t *testing.T) {
	built, err := opened(t).Session("empty").BuildContext(ctx, Request{Question: "Anybody there?"})
	check(t, err)
	if text, _ := built.MessagesJSON(); text != `[{"content":"Anybody there?","role":"user"}]` {
		t.Fatal(text)
	}
}

func TestWrongRequestsAreNamed(t *testing.T) {
	chat := opened(t).Session("s")
	for field, request := range map[string]Request{
		"token_budget":                {Policy: PolicyFields{"token_budget": 0}},
		"colour":                      {Policy: PolicyFields{"colour": 1}},
		"provider":                    {Provider: "song"},
		"options.blocks_json[0].kind": {Blocks: []Block{{ID: "a", Kind: "song"}}},
	} {
		_, err := chat.BuildContext(ctx, request)
		fails(t, err, ErrInvalid, field)
	}
}

func TestRequestsAreCheckedAndMended(t *testing.T) {
	broken := `{"messages":[{"role":"tool","tool_call_id":"c1","content":"x"},{"role":"user","content":"Hi"}]}`
	found, err := Verify(ProviderOpenAI, broken)
	check(t, err)
	mended, repairs, err := Mend(ProviderOpenAI, broken)
	check(t, err)
	left, err := Verify(ProviderOpenAI, mended)
	check(t, err)
	if len(found) == 0 || len(repairs) == 0 || len(left) != 0 || repairs[0].Rule != found[0].Rule {
		t.Fatal(found, repairs, left)
	}
	_, err = Verify(ProviderGeneric, broken)
	fails(t, err, ErrInvalid, "provider")
	_, _, err = Mend(ProviderOpenAI, "[")
	fails(t, err, ErrInvalid, "request")
}

func TestPoliciesAreProposedApprovedAndClaimed(t *testing.T) {
	engine := opened(t)
	proposal := PolicyProposal{Subject: "refunds", Version: "7", Text: "Refunds are granted within 30 days."}
	stored, err := engine.ProposePolicy(ctx, nil, proposal)
	check(t, err)
	if stored.Approved != nil || stored.Policy.Text != proposal.Text {
		t.Fatalf("%+v", stored)
	}
	proposal.Text = "Never."
	_, err = engine.ProposePolicy(ctx, nil, proposal)
	fails(t, err, ErrConflict, "version")
	stored, err = engine.ApprovePolicy(ctx, nil, "refunds", "7")
	check(t, err)
	_, err = engine.ApprovePolicy(ctx, nil, "refunds", "8")
	fails(t, err, ErrNotFound, "version")
	found, err := engine.PolicyVersions(ctx, nil, PolicyVersionQuery{Subject: "refunds", ApprovedOnly: true})
	check(t, err)
	if stored.Approved == nil || len(found) != 1 {
		t.Fatalf("%+v %+v", stored, found)
	}
	_, err = engine.ReadArtifact(ctx, nil, "song")
	fails(t, err, ErrInvalid, "handle")
	_, err = engine.ReadArtifact(ctx, nil, "artifact://default/none@1#5d41402abc4b2a76b9719d911017c592")
	fails(t, err, ErrNotFound, "")
}

func TestContextsThatEndStopCalls(t *testing.T) {
	chat := filled(t, 3)
	over, cancel := context.WithCancel(ctx)
	cancel()
	_, err := chat.BuildContext(over, Request{Question: "q"})
	fails(t, err, ErrCancelled, "")
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	_, err = chat.RecordExchange(over, "a", "b")
	fails(t, err, context.Canceled, "")
	fails(t, chat.engine.Flush(over), context.Canceled, "")
	// While it runs: it stops with the error of the context, or was done before.
	var group sync.WaitGroup
	for range 32 {
		group.Add(1)
		go func() {
			defer group.Done()
			running, cancel := context.WithCancel(ctx)
			go cancel()
			for {
				if _, err := chat.BuildContext(running, Request{Question: "How heavy is parcel 1?"}); err != nil {
					if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrCancelled) {
						t.Errorf("%v", err)
					}
					return
				}
			}
		}()
	}
	group.Wait()
	late, cancel := context.WithTimeout(ctx, time.Minute)
	_, err = chat.BuildContext(late, Request{Question: "q"})
	check(t, err)
	cancel()
	passed, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	_, err = chat.BuildContext(passed, Request{Question: "q"})
	fails(t, err, context.DeadlineExceeded, "")
}
