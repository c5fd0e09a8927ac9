# frozen_string_literal: true

require "json"
require_relative "summary"
require_relative "../ignoring"
require_relative "../../version"

module Frugal
  module Profile
    module Report
      # The findings in files of the application as SARIF 2.1.0 (Static Analysis Results Interchange Format, of OASIS),
      # which GitHub and editors show beside the lines. Files outside of the project and files of gems are left out.
      # What is not worth a change is a note, not a warning.
      class SARIF
        SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        HOME = "https://github.com/frugal-rb/frugal"
        UNRESERVED = %r{[^A-Za-z0-9\-._~/]}n # RFC 3986, 2.3
        private_constant :HOME, :UNRESERVED

        # @param recording [Recording]
        # @param findings [Array<Finding>]
        # @param origins [Origins]
        # @return [String] one indented JSON document
        def self.of(recording, findings, origins: Origins.new)
          "#{::JSON.pretty_generate(new(recording, findings, origins).to_h)}\n"
        end

        def initialize(recording, findings, origins)
          @origins = origins
          @summary = Summary.new(recording, findings)
          @findings = [*@summary.findings, *@summary.ignored].select { |finding| origins.inside?(finding.file) }
          @kinds = @findings.map(&:kind).uniq
        end

        # @return [Hash] the document
        def to_h
          { "$schema" => SCHEMA, version: "2.1.0",
            runs: [{ tool: { driver: driver }, columnKind: "unicodeCodePoints", results: results }] }
        end

        private

        def driver
          { name: "frugal", semanticVersion: VERSION, informationUri: HOME, rules: @kinds.map { |kind| rule(kind) } }
        end

        def rule(kind)
          name, text = Words::KINDS.fetch(kind)
          { id: kind, name: kind.to_s.split("_").map(&:capitalize).join, shortDescription: { text: name.capitalize },
            fullDescription: { text: text }, defaultConfiguration: { level: "warning" } }
        end

        def results
          @findings.map do |finding|
            { ruleId: finding.kind, ruleIndex: @kinds.index(finding.kind), level: level(finding),
              message: { text: message(finding) },
              locations: [{ physicalLocation: location(finding) }], **suppressions(finding),
              properties: properties(finding) }
          end
        end

        # What is ignored (SARIF 2.1.0, 3.27.23).
        def suppressions(finding)
          return {} unless finding.ignored

          { suppressions: [{ kind: finding.ignored == Ignoring::IN_CODE ? "inSource" : "external" }] }
        end

        def level(finding) = @summary.worth?(finding) ? "warning" : "note"

        # Doubles braces, which would otherwise be a placeholder (SARIF 2.1.0, 3.11.5).
        def message(finding) = Words.visible("#{finding.message}. #{finding.fix}").gsub(/[{}]/) { |brace| brace * 2 }

        def location(finding)
          uri = @origins.of(finding.file).path.b.gsub(UNRESERVED) { |byte| format("%%%02X", byte.ord) }
          { artifactLocation: { uri: uri, uriBaseId: "%SRCROOT%" }, region: { startLine: [finding.line, 1].max } }
        end

        def properties(finding)
          { count: finding.count, savedMicroseconds: finding.saved_us, proof: finding.proof,
            assumption: finding.assumption, failRate: finding.fail_rate, dropIn: finding.drop_in }.compact
        end
      end
    end
  end
end
