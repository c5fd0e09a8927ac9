//= link_tree ../javascripts .js
//= link application.css
