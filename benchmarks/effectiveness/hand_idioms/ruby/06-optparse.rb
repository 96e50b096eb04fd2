#!/usr/bin/env ruby

require 'optparse'

options = { verbose: false }

OptionParser.new do |opts|
  opts.banner = 'Usage: herbs [options] FILE'

  opts.on('-v', '--verbose', 'Run verbosely') do
    options[:verbose] = true
  end

  opts.on('-o', '--output FILE', 'Write to FILE') do |file|
    options[:output] = file
  end

  opts.on('-h', '--help', 'Show this message') do
    puts opts
    exit
  end
end.parse!
